"""Tokens of code hosts, package registries, build services and monitors that can be told by their shape alone.

Never: needs a vendor's name nearby (see vendors.py).
Spec: ruling 10; reliability sheet S4.
"""

from __future__ import annotations

from recollect.core.write.secret_rules.checks import random_enough
from recollect.core.write.secret_rules.rule import LEFT, RIGHT, Rule

UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"


def _token(code: str, about: str, keywords: tuple[str, ...], pattern: str) -> Rule:
    return Rule(code=code, about=about, keywords=keywords, pattern=LEFT + pattern, check=random_enough)


DEVELOPER: tuple[Rule, ...] = (
    _token(
        "github_token",
        "GitHub classic, OAuth, user, server or refresh token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
        r"gh[pousr]_[A-Za-z0-9]{36,255}",
    ),
    _token(
        "github_fine_grained_token",
        "GitHub fine-grained token",
        ("github_pat_",),
        r"github_pat_[A-Za-z0-9_]{36,255}",
    ),
    _token(
        "gitlab_token",
        "GitLab personal, deploy, runner, trigger or feed token",
        (
            "glpat-",
            "gldt-",
            "glrt-",
            "glcbt-",
            "glptt-",
            "glft-",
            "glimt-",
            "glffct-",
            "glagent-",
            "glsoat-",
            "gloas-",
            "gr134894",
        ),
        r"(?:gl(?:pat|dt|rt|cbt|ptt|ft|imt|ffct|agent|soat|oas)-[A-Za-z0-9_.-]{20,255}(?<!\.)|GR1348941[A-Za-z0-9_-]{20})",
    ),
    _token(
        "bitbucket_token",
        "Bitbucket app password or access token",
        ("atbb", "atctt3"),
        r"(?:ATBB[A-Za-z0-9]{32}|ATCTT3[A-Za-z0-9_=-]{60,255})",
    ),
    _token("atlassian_token", "Atlassian API token", ("atatt3",), r"ATATT3[A-Za-z0-9_=-]{60,255}"),
    _token("npm_token", "npm access token", ("npm_",), r"npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])"),
    _token("pypi_token", "PyPI upload token", ("pypi-ag",), r"pypi-Ag[A-Za-z0-9_-]{60,255}"),
    _token("rubygems_token", "RubyGems API key", ("rubygems_",), r"rubygems_[a-f0-9]{48}"),
    _token("crates_token", "crates.io token", ("cio",), r"cio[A-Za-z0-9]{32}" + RIGHT),
    _token("docker_token", "Docker Hub access token", ("dckr_",), r"dckr_[po]at_[A-Za-z0-9_-]{27,40}"),
    _token("nuget_key", "NuGet API key", ("oy2",), r"oy2[a-z0-9]{43}" + RIGHT),
    _token("clojars_token", "Clojars deploy token", ("clojars_",), r"CLOJARS_[a-z0-9]{60}"),
    _token("circleci_token", "CircleCI token", ("ccipat_", "cciprj_"), r"CCIP(?:AT|RJ)_[A-Za-z0-9_]{40,100}"),
    _token("buildkite_token", "Buildkite token", ("bkua_", "bkaj_"), r"bk(?:ua|aj)_[a-f0-9]{40}"),
    _token("sonar_token", "SonarQube token", ("sqp_", "squ_", "sqa_"), r"sq[pua]_[a-f0-9]{40}"),
    _token("sourcegraph_token", "Sourcegraph token", ("sgp_",), r"sgp_(?:[A-Za-z0-9]{2,16}_)?[a-f0-9]{40}"),
    _token(
        "jfrog_token",
        "JFrog API key or reference token",
        ("akcp", "cmvmd"),
        r"(?:AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59})",
    ),
    _token("launchdarkly_key", "LaunchDarkly key", ("sdk-", "api-", "mob-"), rf"(?:sdk|api|mob)-{UUID}"),
    _token("postman_key", "Postman API key", ("pmak-",), r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    _token("readme_key", "ReadMe API key", ("rdme_",), r"rdme_[a-z0-9]{70}"),
    _token(
        "grafana_token",
        "Grafana service account, cloud or API token",
        ("glsa_", "glc_", "eyjrijoi"),
        r"(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/=]{32,400}|eyJrIjoi[A-Za-z0-9+/=_-]{60,400})",
    ),
    _token(
        "sentry_token",
        "Sentry auth token",
        ("sntrys_", "sntryu_"),
        r"sntry(?:s_eyJ[A-Za-z0-9+/=_-]{60,400}|u_[a-f0-9]{64})",
    ),
    Rule(
        code="sentry_dsn",
        about="Sentry DSN with its key",
        keywords=("://",),
        pattern=r"https?://([a-f0-9]{32}(?::[a-f0-9]{32})?)@[A-Za-z0-9.-]{3,100}/[0-9]{1,20}",
        check=random_enough,
    ),
    _token(
        "newrelic_key",
        "New Relic key",
        ("nrak-", "nrii-", "nriq-", "nrra-", "nrjs-", "nral"),
        r"(?:NR(?:AK|RA)-[A-Z0-9]{27}|NRI[IQ]-[A-Za-z0-9_-]{32}|NRJS-[a-f0-9]{19}|[a-f0-9]{36}NRAL)",
    ),
    _token("honeycomb_key", "Honeycomb key", ("hcaik_", "hcaic_", "hcamk_"), r"hca(?:ik|ic|mk)_[A-Za-z0-9]{26,64}"),
    _token("dynatrace_token", "Dynatrace token", ("dt0",), r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    _token("mapbox_secret", "Mapbox secret token", ("sk.eyj",), r"sk\.eyJ[A-Za-z0-9_-]{40,200}\.[A-Za-z0-9_-]{20,40}"),
    _token("contentful_token", "Contentful management token", ("cfpat-",), r"CFPAT-[A-Za-z0-9_-]{43}"),
    _token(
        "harness_token",
        "Harness token",
        ("pat.", "sat."),
        r"[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}",
    ),
    _token("octopus_key", "Octopus Deploy key", ("api-",), r"API-[A-Z0-9]{26}" + RIGHT),
    _token("infracost_key", "Infracost key", ("ico-",), r"ico-[A-Za-z0-9]{32}" + RIGHT),
    _token("prefect_key", "Prefect key", ("pnu_", "pnb_"), r"pn[ub]_[A-Za-z0-9]{36}"),
)
