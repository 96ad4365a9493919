"""Keys and tokens of clouds, hosts and databases that can be told by their shape alone.

Never: needs a vendor's name nearby (see vendors.py).
Spec: ruling 10; reliability sheet S4.
"""

from __future__ import annotations

from recollect.core.write.secret_rules.checks import random_enough, vendor_value
from recollect.core.write.secret_rules.rule import LEFT, RIGHT, Rule

CLOUD: tuple[Rule, ...] = (
    Rule(
        code="aws_access_key_id",
        about="AWS access key id",
        keywords=("akia", "asia", "abia", "acca"),
        pattern=LEFT + r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}" + RIGHT,
        check=random_enough,
    ),
    Rule(
        code="aws_secret_access_key",
        about="AWS secret access key, with its name or behind its key id",
        keywords=("aws", "secret_access_key", "secretaccesskey", "secret access key", "akia", "asia"),
        pattern=(
            r"(?:(?i:aws_?secret|secret[_ -]?access[_ -]?key|aws.{0,20}?secret)|(?:AKIA|ASIA)[A-Z0-9]{16})"
            r"[^\n]{0,60}?[\s\"'=:(>`,]([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=_-])"
        ),
        check=random_enough,
    ),
    Rule(
        code="aws_bedrock_key",
        about="AWS Bedrock long-term key",
        keywords=("absk",),
        pattern=LEFT + r"ABSK[A-Za-z0-9+/]{100,280}={0,2}",
        check=random_enough,
    ),
    Rule(
        code="gcp_api_key",
        about="Google API key",
        keywords=("aiza",),
        pattern=LEFT + r"AIza[0-9A-Za-z_-]{35}" + RIGHT,
        check=random_enough,
    ),
    Rule(
        code="google_oauth_secret",
        about="Google OAuth client secret",
        keywords=("gocspx-",),
        pattern=LEFT + r"GOCSPX-[A-Za-z0-9_-]{20,40}",
        check=random_enough,
    ),
    Rule(
        code="google_oauth_token",
        about="Google OAuth access or refresh token",
        keywords=("ya29.", "1//0"),
        pattern=LEFT + r"(?:ya29\.[A-Za-z0-9_.-]{20,2000}(?<!\.)|1//0[A-Za-z0-9_-]{30,200})",
        check=random_enough,
    ),
    Rule(
        code="gcp_service_account",
        about="private key or key id inside a Google service-account file",
        keywords=('"private_key',),
        pattern=(
            r'"private_key(?:_id"\s{0,4}:\s{0,4}"([a-f0-9]{40})"'
            r'|"\s{0,4}:\s{0,4}"(-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[A-Za-z0-9+/=\\\s]{32,8000}[^"\n]{0,60})")'
        ),
    ),
    Rule(
        code="azure_storage_key",
        about="Azure storage account key",
        keywords=("accountkey", "azure", "storage"),
        pattern=r"(?i:accountkey|account_key|azure|storage)[^\n]{0,80}?[\s\"'=:(>`,]([A-Za-z0-9+/]{86}==)",
        check=random_enough,
    ),
    Rule(
        code="azure_shared_key",
        about="Azure Service Bus, Event Hub or IoT shared access key",
        keywords=("sharedaccesskey",),
        pattern=r"(?i:sharedaccesskey)[\"']?\s{0,3}[=:]\s{0,3}[\"']?([A-Za-z0-9+/]{42,44}=)",
        check=random_enough,
    ),
    Rule(
        code="azure_ad_secret",
        about="Azure AD (Entra) client secret",
        keywords=("q~",),
        pattern=r"(?<![A-Za-z0-9_~.])[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?<!\.)(?![A-Za-z0-9_~])",
        check=random_enough,
    ),
    Rule(
        code="azure_sas",
        about="signature of an Azure shared access signature",
        keywords=("sig=",),
        pattern=r"(?:[?&;]|&amp;)sig=([A-Za-z0-9%+/_-]{40,120}=?)",
        check=random_enough,
    ),
    Rule(
        code="azure_devops_token",
        about="Azure DevOps personal access token",
        keywords=("azdo",),
        pattern=LEFT + r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}" + RIGHT,
        check=random_enough,
    ),
    Rule(
        code="alibaba_access_key",
        about="Alibaba Cloud access key id",
        keywords=("ltai",),
        pattern=LEFT + r"LTAI[A-Za-z0-9]{16,26}" + RIGHT,
        check=random_enough,
    ),
    Rule(
        code="tencent_secret_id",
        about="Tencent Cloud secret id",
        keywords=("akid",),
        pattern=LEFT + r"AKID[A-Za-z0-9]{28,36}" + RIGHT,
        check=random_enough,
    ),
    Rule(
        code="digitalocean_token",
        about="DigitalOcean personal, OAuth or refresh token",
        keywords=("dop_v1_", "doo_v1_", "dor_v1_"),
        pattern=LEFT + r"do[opr]_v1_[a-f0-9]{64}",
        check=random_enough,
    ),
    Rule(
        code="heroku_token",
        about="Heroku API key",
        keywords=("hrku-",),
        pattern=LEFT + r"HRKU-[A-Za-z0-9_-]{36,70}",
        check=random_enough,
    ),
    Rule(
        code="netlify_token",
        about="Netlify access token",
        keywords=("nfp_",),
        pattern=LEFT + r"nf[pcou]_[A-Za-z0-9]{36,60}",
        check=random_enough,
    ),
    Rule(
        code="vercel_token",
        about="Vercel token or blob key",
        keywords=("vcp_", "vca_", "vck_", "vci_", "vcr_", "vercel_blob_rw_"),
        pattern=LEFT + r"(?:vc[pakir]_[A-Za-z0-9]{24,80}|vercel_blob_rw_[A-Za-z0-9]{8,32}_[A-Za-z0-9]{24,48})",
        check=random_enough,
    ),
    Rule(
        code="cloudflare_origin_key",
        about="Cloudflare origin CA key",
        keywords=("v1.0-",),
        pattern=LEFT + r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}",
        check=random_enough,
    ),
    Rule(
        code="fly_token",
        about="Fly.io token",
        keywords=("fm1a_", "fm1r_", "fm2_", "fo1_"),
        pattern=LEFT + r"(?:fm(?:1[ar]|2)_[A-Za-z0-9+/=_-]{60,2000}|fo1_[A-Za-z0-9_-]{43})",
        check=random_enough,
    ),
    Rule(
        code="render_key",
        about="Render API key",
        keywords=("rnd_",),
        pattern=LEFT + r"rnd_[A-Za-z0-9]{28,40}" + RIGHT,
        check=random_enough,
    ),
    Rule(
        code="scaleway_key",
        about="Scaleway access key",
        keywords=("scw",),
        pattern=LEFT + r"SCW[A-Z0-9]{17}" + RIGHT,
        check=random_enough,
    ),
    Rule(
        code="vault_token",
        about="HashiCorp Vault token",
        keywords=("hvs.", "hvb.", "hvr."),
        pattern=LEFT + r"hv[sbr]\.[A-Za-z0-9_-]{24,300}",
        check=random_enough,
    ),
    Rule(
        code="terraform_token",
        about="Terraform Cloud token",
        keywords=(".atlasv1.",),
        pattern=LEFT + r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,80}",
        check=random_enough,
    ),
    Rule(
        code="pulumi_token",
        about="Pulumi access token",
        keywords=("pul-",),
        pattern=LEFT + r"pul-[a-f0-9]{40}" + RIGHT,
        check=random_enough,
    ),
    Rule(
        code="doppler_token",
        about="Doppler token",
        keywords=("dp.",),
        pattern=LEFT + r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}",
        check=random_enough,
    ),
    Rule(
        code="onepassword_token",
        about="1Password service-account token or secret key",
        keywords=("ops_eyj", "a3-"),
        pattern=LEFT + r"(?:ops_eyJ[A-Za-z0-9+/=_-]{200,2000}|A3-[A-Z0-9]{6}-[A-Z0-9]{6,11}(?:-[A-Z0-9]{5}){3,4})",
        check=random_enough,
    ),
    Rule(
        code="tailscale_key",
        about="Tailscale key",
        keywords=("tskey-",),
        pattern=LEFT + r"tskey-(?:[a-z]{2,12}-)?[A-Za-z0-9]{8,32}-[A-Za-z0-9]{16,64}",
        check=random_enough,
    ),
    Rule(
        code="databricks_token",
        about="Databricks personal access token",
        keywords=("dapi",),
        pattern=LEFT + r"dapi[a-f0-9]{32}(?:-[0-9]{1,2})?" + RIGHT,
        check=random_enough,
    ),
    Rule(
        code="supabase_key",
        about="Supabase access token or secret key",
        keywords=("sbp_", "sb_secret_"),
        pattern=LEFT + r"(?:sbp_(?:v0_)?[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{24,64})",
        check=random_enough,
    ),
    Rule(
        code="planetscale_token",
        about="PlanetScale token or password",
        keywords=("pscale_",),
        pattern=LEFT + r"pscale_(?:tkn|pw|oauth|api)_[A-Za-z0-9_.=-]{32,80}(?<!\.)",
        check=random_enough,
    ),
    Rule(
        code="neon_key",
        about="Neon API key",
        keywords=("napi_",),
        pattern=LEFT + r"napi_[a-z0-9]{40,80}",
        check=random_enough,
    ),
    Rule(
        code="clickhouse_key",
        about="ClickHouse Cloud secret key",
        keywords=("4b1d",),
        pattern=LEFT + r"4b1d[A-Za-z0-9]{38}" + RIGHT,
        check=random_enough,
    ),
    Rule(
        code="openshift_token",
        about="OpenShift user token",
        keywords=("sha256~",),
        pattern=LEFT + r"sha256~[A-Za-z0-9_-]{43}" + RIGHT,
        check=random_enough,
    ),
    Rule(
        code="snowflake_token",
        about="Snowflake password or programmatic token beside its account",
        keywords=("snowflake",),
        pattern=(
            r"(?i:snowflake)[^\n]{0,60}?(?i:password|passwd|pwd|token|secret|pat)[\"']?\s{0,3}[=:]\s{0,3}[\"']?"
            r"([^\s\"'`;,&]{8,400})"
        ),
        check=vendor_value,
    ),
)
