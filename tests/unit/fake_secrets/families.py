"""Fake secrets of many families, put together at run time from a seed.

Nothing in this file is a secret or looks like one to a scanner: prefixes are joined from parts, bodies are drawn from
a seeded generator, checksums are computed. The same seed gives the same samples on every machine.

Never: holds a value that was issued by anybody.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
import string
from collections.abc import Callable
from dataclasses import dataclass

from . import phrasings

SEED = 20240607
HEX = "0123456789abcdef"
ALNUM = string.ascii_letters + string.digits
URLSAFE = ALNUM + "-_"
BASE64 = ALNUM + "+/"
UPPER = string.ascii_uppercase + string.digits
LOWER = string.ascii_lowercase + string.digits
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

Draw = random.Random
Make = Callable[[Draw], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One text with one fake secret in it."""

    family: str
    text: str
    value: str
    token_shaped: bool

    @property
    def start(self) -> int:
        return self.text.rindex(self.value)

    @property
    def end(self) -> int:
        return self.start + len(self.value)


def chars(draw: Draw, alphabet: str, size: int) -> str:
    """A random run; a long one mixes digits and letters, as generated keys practically always do."""
    mixed = size >= 12 and not alphabet.isdigit() and not alphabet.isalpha()
    while True:
        run = "".join(draw.choices(alphabet, k=size))
        if not mixed or (any(c.isdigit() for c in run) and any(c.isalpha() for c in run)):
            return run


def shape(*parts: str | tuple[str, int]) -> Make:
    """A maker from literal parts (joined at run time) and (alphabet, length) pairs."""

    def make(draw: Draw) -> str:
        return "".join(part if isinstance(part, str) else chars(draw, *part) for part in parts)

    return make


def one_of(*makes: Make) -> Make:
    return lambda draw: draw.choice(makes)(draw)


def uuid(draw: Draw) -> str:
    raw = chars(draw, HEX, 32)
    return f"{raw[:8]}-{raw[8:12]}-4{raw[13:16]}-a{raw[17:20]}-{raw[20:]}"


def uuid_shape(*parts: str) -> Make:
    return lambda draw: "".join(parts) + uuid(draw)


def jwt(draw: Draw) -> str:
    def part(body: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(body).encode()).decode().rstrip("=")

    header = {"alg": draw.choice(["HS256", "RS256", "ES256"]), "typ": "JWT"}
    claims = {"sub": chars(draw, string.digits, 10), "name": chars(draw, string.ascii_lowercase, 8)}
    return f"{part(header)}.{part(claims)}.{chars(draw, URLSAFE, 43)}"


def pem(*kind: str) -> Make:
    def make(draw: Draw) -> str:
        lines = "\n".join(chars(draw, BASE64, 64) for _ in range(draw.randint(5, 14)))
        name = " ".join(kind)
        return "-----BEG" + f"IN {name}-----\n{lines}\n{chars(draw, BASE64, 30)}==\n-----E" + f"ND {name}-----"

    return make


def service_account(draw: Draw) -> str:
    return pem("PRIVATE", "KEY")(draw).replace("\n", "\\n") + "\\n"


def wif(draw: Draw) -> str:
    raw = b"\x80" + draw.randbytes(32) + b"\x01"
    raw += hashlib.sha256(hashlib.sha256(raw).digest()).digest()[:4]
    number, out = int.from_bytes(raw, "big"), ""
    while number:
        number, rest = divmod(number, 58)
        out = BASE58[rest] + out
    return out


def basic(draw: Draw) -> str:
    return base64.b64encode(f"{chars(draw, string.ascii_lowercase, 6)}:{password(draw)}".encode()).decode()


def password(draw: Draw) -> str:
    """A password as people and generators make them."""
    word = draw.choice(["Sun", "tiger", "Coffee", "winter", "rocket", "Purple", "lemon", "garden", "Dragon", "maple"])
    tail = str(draw.randint(10, 9999))
    return draw.choice(
        [
            word + tail,
            word + tail + draw.choice("!#$*"),
            word[0] + "@" + word[1:] + tail,
            chars(draw, ALNUM, 12),
            chars(draw, ALNUM + "!#$%^*", 16) + "9a",
            word + "_" + tail,
        ]
    )


def plain_password(draw: Draw) -> str:
    return draw.choice(["swordfish", "butterscotch", "rumpelstilt", "marmalade", "thunderbird", "wintermute"])


def url_password(draw: Draw) -> str:
    return chars(draw, ALNUM, draw.randint(8, 20))


# ── numbers with checksums ───────────────────────────────────────────────────────────────────────────────────────


def luhn_digit(body: str) -> str:
    total = 0
    for at, digit in enumerate(reversed(body)):
        twice = int(digit) * 2 if at % 2 == 0 else int(digit)
        total += twice - 9 if twice > 9 else twice
    return str(-total % 10)


def digits(draw: Draw, size: int) -> str:
    return "".join(draw.choices(string.digits, k=size))


def card(draw: Draw) -> str:
    prefix, size = draw.choice(
        [("4", 16), ("51", 16), ("55", 16), ("2223", 16), ("34", 15), ("37", 15), ("6011", 16), ("3530", 16)]
    )
    body = prefix + digits(draw, size - len(prefix) - 1)
    number = body + luhn_digit(body)
    gap = draw.choice(["", " ", "-"])
    cuts = (4, 10, 15) if size == 15 else (4, 8, 12, 16)
    return gap.join(number[a:b] for a, b in zip((0, *cuts), cuts, strict=False))


def iban(draw: Draw) -> str:
    country, body = draw.choice(
        [
            ("DE", digits(draw, 18)),
            ("FR", digits(draw, 23)),
            ("GB", chars(draw, string.ascii_uppercase, 4) + digits(draw, 14)),
            ("ES", digits(draw, 20)),
            ("NL", chars(draw, string.ascii_uppercase, 4) + digits(draw, 10)),
            ("IT", draw.choice(string.ascii_uppercase) + digits(draw, 22)),
            ("PT", digits(draw, 21)),
            ("CH", digits(draw, 17)),
        ]
    )
    check = 98 - int("".join(str(int(c, 36)) for c in body + country + "00")) % 97
    whole = f"{country}{check:02d}{body}"
    return draw.choice([whole, " ".join(whole[at : at + 4] for at in range(0, len(whole), 4))])


def ssn(draw: Draw) -> str:
    area = draw.choice([draw.randint(1, 665), draw.randint(667, 899)])
    return f"{area:03d}-{draw.randint(1, 99):02d}-{draw.randint(1, 9999):04d}"


def nino(draw: Draw) -> str:
    prefix = draw.choice("ABCEGHJKLMPRSTWXYZ") + draw.choice("ABCEHJLMPRSWXYZ")
    if prefix == "ZZ":
        prefix = "AB"
    body = digits(draw, 6)
    return draw.choice(
        [f"{prefix}{body}{draw.choice('ABCD')}", f"{prefix} {body[:2]} {body[2:4]} {body[4:]} {draw.choice('ABCD')}"]
    )


_VERHOEFF_D = [
    "0123456789",
    "1234067895",
    "2340178956",
    "3401289567",
    "4012395678",
    "5987604321",
    "6598710432",
    "7659821043",
    "8765932104",
    "9876543210",
]
_VERHOEFF_P = [
    "0123456789",
    "1576283094",
    "5803796142",
    "8916043527",
    "9453126870",
    "4286573901",
    "2793806415",
    "7046913258",
]


def aadhaar(draw: Draw) -> str:
    body = draw.choice("23456789") + digits(draw, 10)
    state = 0
    for at, digit in enumerate(reversed(body), start=1):
        state = int(_VERHOEFF_D[state][int(_VERHOEFF_P[at % 8][int(digit)])])
    check = next(c for c in string.digits if _VERHOEFF_D[state][int(_VERHOEFF_P[0][int(c)])] == "0")
    whole = body + check
    return draw.choice([whole, f"{whole[:4]} {whole[4:8]} {whole[8:]}"])


def pan(draw: Draw) -> str:
    letters = "".join(draw.choices(string.ascii_uppercase, k=3))
    return f"{letters}P{draw.choice(string.ascii_uppercase)}{digits(draw, 4)}{draw.choice(string.ascii_uppercase)}"


def cpf(draw: Draw) -> str:
    body = [int(c) for c in digits(draw, 9)]
    for size in (10, 11):
        body.append(sum(d * (size - at) for at, d in enumerate(body)) * 10 % 11 % 10)
    raw = "".join(map(str, body))
    return f"{raw[:3]}.{raw[3:6]}.{raw[6:9]}-{raw[9:]}"


def nir(draw: Draw) -> str:
    born = f"{draw.choice('12')}{draw.randint(30, 99)}{draw.randint(1, 12):02d}"
    body = f"{born}{draw.randint(1, 95):02d}{draw.randint(1, 990):03d}{draw.randint(1, 999):03d}"
    return f"{body}{97 - int(body) % 97:02d}"


def sin(draw: Draw) -> str:
    body = draw.choice("1234567") + digits(draw, 7)
    whole = body + luhn_digit(body)
    return draw.choice([whole, f"{whole[:3]} {whole[3:6]} {whole[6:]}", f"{whole[:3]}-{whole[3:6]}-{whole[6:]}"])


def weighted_number(weights: tuple[int, ...], modulus: int, starts: str | tuple[str, ...] = "123456789") -> Make:
    def make(draw: Draw) -> str:
        while True:
            number = draw.choice(starts) + digits(draw, len(weights) - len(starts[0]))
            if sum(w * int(d) for w, d in zip(weights, number, strict=True)) % modulus == 0:
                return number

    return make


def seed_phrase(size: int) -> Make:
    words = (
        "abandon ability able absent absorb abstract absurd access acid acoustic acquire across actor adapt adult"
        " airport album alcohol alert alien almost alpha amateur amazing anchor ancient angry animal ankle antique"
        " arctic arena armor arrow artist asset athlete atom auction august autumn avocado bacon badge bamboo banana"
    ).split()
    return lambda draw: " ".join(draw.choices(words, k=size))


# ── families ─────────────────────────────────────────────────────────────────────────────────────────────────────

TOKEN_FAMILIES: dict[str, Make] = {
    "aws_access_key_id": one_of(shape("AK", "IA", (UPPER, 16)), shape("AS", "IA", (UPPER, 16))),
    "gcp_api_key": shape("AI", "za", (URLSAFE, 34), ("ABCdef123", 1)),
    "google_oauth_secret": shape("GOC", "SPX-", (URLSAFE, 27), (ALNUM, 1)),
    "google_oauth_token": one_of(
        shape("ya", "29.", (URLSAFE, 120), (ALNUM, 1)), shape("1/", "/0", (URLSAFE, 60), (ALNUM, 1))
    ),
    "azure_ad_secret": shape((ALNUM, 3), "8", "Q~", (ALNUM + "_.~", 33), (ALNUM, 1)),
    "azure_devops_token": shape((ALNUM, 76), "AZ", "DO", (ALNUM, 4)),
    "alibaba_access_key": shape("LT", "AI", (ALNUM, 20)),
    "digitalocean_token": one_of(*(shape("do", kind, "_v1_", (HEX, 64)) for kind in "opr")),
    "heroku_token": shape("HR", "KU-AA", (URLSAFE, 57), (ALNUM, 1)),
    "netlify_token": shape("nf", "p_", (ALNUM, 36)),
    "vercel_token": shape("vc", "p_", (ALNUM, 56)),
    "cloudflare_origin_key": shape("v1", ".0-", (HEX, 24), "-", (HEX, 146)),
    "fly_token": shape("fm", "2_", (BASE64, 120)),
    "render_key": shape("rn", "d_", (ALNUM, 32)),
    "vault_token": shape("hv", "s.", (URLSAFE, 90), (ALNUM, 1)),
    "terraform_token": shape((ALNUM, 14), ".atl", "asv1.", (URLSAFE, 66), (ALNUM, 1)),
    "pulumi_token": shape("pu", "l-", (HEX, 40)),
    "doppler_token": shape("dp", ".pt.", (ALNUM, 43)),
    "tailscale_key": shape("ts", "key-auth-", (ALNUM, 12), "-", (ALNUM, 32)),
    "databricks_token": shape("da", "pi", (HEX, 32)),
    "supabase_key": one_of(shape("sb", "p_", (HEX, 40)), shape("sb_", "secret_", (ALNUM, 22), "_", (ALNUM, 8))),
    "planetscale_token": shape("ps", "cale_tkn_", (ALNUM, 43)),
    "neon_key": shape("na", "pi_", (LOWER, 64)),
    "github_token": one_of(*(shape("gh", kind, "_", (ALNUM, 36)) for kind in "pousr")),
    "github_fine_grained_token": shape("git", "hub_pat_", (ALNUM, 22), "_", (ALNUM, 59)),
    "gitlab_token": one_of(
        shape("gl", "pat-", (URLSAFE, 19), (ALNUM, 1)), shape("gl", "dt-", (URLSAFE, 19), (ALNUM, 1))
    ),
    "bitbucket_token": shape("AT", "BB", (ALNUM, 32)),
    "atlassian_token": shape("AT", "ATT3", (URLSAFE, 180), "=", (UPPER, 8)),
    "npm_token": shape("np", "m_", (ALNUM, 36)),
    "pypi_token": shape("py", "pi-Ag", "EIcHlwaS5vcmc", (URLSAFE, 150), (ALNUM, 1)),
    "rubygems_token": shape("ruby", "gems_", (HEX, 48)),
    "crates_token": shape("ci", "o", (ALNUM, 32)),
    "docker_token": shape("dc", "kr_pat_", (URLSAFE, 26), (ALNUM, 1)),
    "nuget_key": shape("oy", "2", (LOWER, 43)),
    "circleci_token": shape("CCI", "PAT_", (ALNUM, 22), "_", (HEX, 40)),
    "buildkite_token": shape("bk", "ua_", (HEX, 40)),
    "sonar_token": shape("sq", "p_", (HEX, 40)),
    "jfrog_token": shape("AK", "Cp", (ALNUM, 69)),
    "postman_key": shape("PM", "AK-", (HEX, 24), "-", (HEX, 34)),
    "grafana_token": one_of(shape("gl", "sa_", (ALNUM, 32), "_", (HEX, 8)), shape("gl", "c_", (ALNUM, 80))),
    "sentry_token": shape("snt", "ryu_", (HEX, 64)),
    "newrelic_key": one_of(shape("NR", "AK-", (UPPER, 27)), shape((HEX, 36), "NR", "AL")),
    "dynatrace_token": shape("dt", "0c01.", (UPPER, 24), ".", (UPPER, 64)),
    "honeycomb_key": shape("hc", "aik_", (LOWER, 58)),
    "launchdarkly_key": one_of(uuid_shape("sd", "k-"), uuid_shape("ap", "i-")),
    "openai_key": one_of(
        shape("s", "k-proj-", (URLSAFE, 120), (ALNUM, 1)),
        shape("s", "k-", (ALNUM, 20), "T3Blbk", "FJ", (ALNUM, 20)),
        shape("s", "k-svcacct-", (URLSAFE, 80), (ALNUM, 1)),
    ),
    "anthropic_key": shape("s", "k-ant-", "api03-", (URLSAFE, 93), "AA"),
    "openrouter_key": shape("s", "k-or-v1-", (HEX, 64)),
    "langfuse_key": uuid_shape("s", "k-lf-"),
    "huggingface_token": shape("h", "f_", (ALNUM, 34)),
    "groq_key": shape("gs", "k_", (ALNUM, 52)),
    "replicate_token": shape("r", "8_", (ALNUM, 37)),
    "perplexity_key": shape("pp", "lx-", (ALNUM, 48)),
    "xai_key": shape("xa", "i-", (ALNUM, 80)),
    "nvidia_key": shape("nv", "api-", (URLSAFE, 63), (ALNUM, 1)),
    "elevenlabs_key": shape("s", "k_", (HEX, 48)),
    "pinecone_key": shape("pc", "sk_", (ALNUM, 5), "_", (ALNUM, 63)),
    "langsmith_key": shape("ls", "v2_pt_", (HEX, 32), "_", (HEX, 10)),
    "tavily_key": shape("tv", "ly-", (ALNUM, 32)),
    "fireworks_key": shape("f", "w_", (ALNUM, 24)),
    "stripe_key": one_of(shape("s", "k_live_", (ALNUM, 24)), shape("r", "k_test_", (ALNUM, 99))),
    "webhook_secret": shape("wh", "sec_", (ALNUM, 32)),
    "square_token": one_of(
        shape("sq", "0atp-", (URLSAFE, 21), (ALNUM, 1)), shape("sq", "0csp-", (URLSAFE, 42), (ALNUM, 1))
    ),
    "braintree_token": shape("access_", "token$", "production$", (LOWER, 16), "$", (HEX, 32)),
    "plaid_token": uuid_shape("acc", "ess-sandbox-"),
    "razorpay_key": shape("rz", "p_live_", (ALNUM, 14)),
    "shopify_token": one_of(*(shape("sh", kind, "_", (HEX, 32)) for kind in ("pat", "pca", "ppa", "pss"))),
    "slack_token": one_of(
        shape("xo", "xb-", (string.digits, 12), "-", (string.digits, 13), "-", (ALNUM, 24)),
        shape("xo", "xp-", (string.digits, 12), "-", (string.digits, 12), "-", (HEX, 32)),
        shape("xa", "pp-1-A", (UPPER, 10), "-", (string.digits, 13), "-", (HEX, 64)),
    ),
    "slack_webhook": shape("T", (UPPER, 8), "/B", (UPPER, 8), "/", (ALNUM, 24)),
    "discord_webhook": shape((string.digits, 18), "/", (URLSAFE, 67), (ALNUM, 1)),
    "twilio_key": shape("S", "K", (HEX, 32)),
    "sendgrid_key": shape("S", "G.", (URLSAFE, 21), (ALNUM, 1), ".", (URLSAFE, 42), (ALNUM, 1)),
    "mailgun_key": one_of(shape("ke", "y-", (HEX, 32)), shape((HEX, 32), "-", (HEX, 8), "-", (HEX, 8))),
    "mailchimp_key": shape((HEX, 32), "-u", "s", ("123456789", 1)),
    "brevo_key": shape("xk", "eysib-", (HEX, 64), "-", (ALNUM, 16)),
    "resend_key": shape("r", "e_", (ALNUM, 8), "_", (ALNUM, 24)),
    "telegram_bot_token": shape(("123456789", 9), ":A", "A", (URLSAFE, 32), (ALNUM, 1)),
    "discord_bot_token": shape("MT", (ALNUM, 22), ".", (URLSAFE, 6), ".", (URLSAFE, 37), (ALNUM, 1)),
    "facebook_token": shape("EA", "A", (ALNUM, 150)),
    "twitter_bearer": shape("A" * 11, "A" * 11, (ALNUM, 80)),
    "linear_key": shape("lin", "_api_", (ALNUM, 40)),
    "notion_token": one_of(shape("sec", "ret_", (ALNUM, 43)), shape("nt", "n_", (ALNUM, 46))),
    "airtable_token": shape("pa", "t", (ALNUM, 14), ".", (HEX, 64)),
    "asana_token": shape("1", "/1", (string.digits, 15), ":", (HEX, 32)),
    "figma_token": shape("fi", "gd_", (URLSAFE, 39), (ALNUM, 1)),
    "dropbox_token": shape("s", "l.", (URLSAFE, 140), (ALNUM, 1)),
    "hubspot_token": uuid_shape("pa", "t-na1-"),
    "contentful_token": shape("CF", "PAT-", (URLSAFE, 42), (ALNUM, 1)),
    "jwt": jwt,
    "pem_private_key": one_of(pem("RSA", "PRIVATE", "KEY"), pem("EC", "PRIVATE", "KEY"), pem("PRIVATE", "KEY")),
    "openssh_private_key": pem("OPENSSH", "PRIVATE", "KEY"),
    "pgp_private_key": pem("PGP", "PRIVATE", "KEY", "BLOCK"),
    "age_secret_key": shape("AGE-", "SECRET-", "KEY-1", ("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
    "bitcoin_private_key": wif,
}

# Families whose value is found through the words or the URL around it. "{}" is the value.
FRAMED_FAMILIES: dict[str, tuple[Make, tuple[str, ...], bool]] = {
    "slack_webhook": (TOKEN_FAMILIES.pop("slack_webhook"), ("https://hooks." + "slack.com/services/{}",), True),
    "discord_webhook": (
        TOKEN_FAMILIES.pop("discord_webhook"),
        ("post it to https://discord.com/api/web" + "hooks/{} please",),
        True,
    ),
    "aws_secret_access_key": (
        shape((BASE64, 39), (ALNUM, 1)),
        (
            "aws_secret_access_key = {}",
            "AWS_SECRET_ACCESS_KEY={}",
            "my aws secret key is {}",
            '"SecretAccessKey": "{}"',
        ),
        True,
    ),
    "azure_storage_key": (
        shape((BASE64, 86), "=="),
        (
            "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey={};EndpointSuffix=core.windows.net",
            "azure storage key: {}",
        ),
        True,
    ),
    "azure_shared_key": (
        shape((BASE64, 43), "="),
        ("Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={}",),
        True,
    ),
    "azure_sas": (
        shape((ALNUM, 43), "%3D"),
        ("https://acme.blob.core.windows.net/c/f?sv=2022-11-02&se=2024&sig={}",),
        True,
    ),
    "gcp_service_account": (service_account, ('{"type": "service_account", "private_key": "{}"}',), True),
    "sentry_dsn": (shape((HEX, 32)), ("https://{}@o4505.ingest.sentry.io/4505",), True),
    "datadog_key": (shape((HEX, 32)), ("DATADOG_API_KEY={}", "datadog api key: {}", 'dd_api_key: "{}"'), True),
    "cloudflare_token": (
        shape((URLSAFE, 39), (ALNUM, 1)),
        ("CLOUDFLARE_API_TOKEN={}", "the cloudflare token is {}"),
        True,
    ),
    "fastly_token": (shape((URLSAFE, 31), (ALNUM, 1)), ("FASTLY_API_TOKEN={}", "fastly key: {}"), True),
    "heroku_key": (uuid, ("HEROKU_API_KEY={}", "heroku auth token: {}"), True),
    "vercel_key": (shape((ALNUM, 24)), ("VERCEL_TOKEN={}", "vercel token {}"), True),
    "twilio_auth_token": (shape((HEX, 32)), ("TWILIO_AUTH_TOKEN={}", 'twilio auth token: "{}"'), True),
    "pagerduty_key": (shape("u+", (ALNUM, 18)), ("PAGERDUTY_TOKEN={}", "pagerduty api key {}"), True),
    "okta_token": (shape("00", (URLSAFE, 39), (ALNUM, 1)), ("OKTA_API_TOKEN={}", "Authorization: SSWS {}"), True),
    "auth0_secret": (shape((URLSAFE, 63), (ALNUM, 1)), ("AUTH0_CLIENT_SECRET={}",), True),
    "cohere_key": (shape((ALNUM, 40)), ("COHERE_API_KEY={}", "cohere key: {}"), True),
    "mistral_key": (shape((ALNUM, 32)), ("MISTRAL_API_KEY={}",), True),
    "linkedin_client_secret": (shape((ALNUM, 16)), ("LINKEDIN_CLIENT_SECRET={}",), True),
    "twitter_secret": (shape((ALNUM, 50)), ("TWITTER_CONSUMER_SECRET={}",), True),
    "paypal_secret": (shape((URLSAFE, 79), (ALNUM, 1)), ("PAYPAL_CLIENT_SECRET={}",), True),
    "snowflake_token": (password, ("SNOWFLAKE_PASSWORD={}", "snowflake://acme warehouse=x password={}"), True),
    "ethereum_private_key": (shape("0x", (HEX, 64)), ("PRIVATE_KEY={}", "my wallet's private key is {}"), True),
    "wireguard_key": (shape((BASE64, 43), "="), ("[Interface]\nPrivateKey = {}\nAddress = 10.0.0.2/32",), True),
    "mongodb_uri": (
        url_password,
        ("mongodb+srv://app:{}@cluster0.acme.mongodb.net/db", "mongodb://root:{}@10.0.0.1:27017"),
        True,
    ),
    "postgres_uri": (
        url_password,
        ("postgresql://app:{}@db.acme.io:5432/main", "DATABASE_URL=postgres://app:{}@localhost/x"),
        True,
    ),
    "mysql_uri": (url_password, ("mysql://root:{}@127.0.0.1:3306/shop", "mysql+pymysql://u:{}@db/shop"), True),
    "redis_uri": (url_password, ("redis://:{}@cache.acme.io:6379/0", "rediss://default:{}@eu1.acme.io:6380"), True),
    "amqp_uri": (url_password, ("amqp://guest1:{}@rabbit:5672/vhost", "amqps://svc:{}@mq.acme.io"), True),
    "url_credentials": (
        url_password,
        ("https://alice:{}@git.acme.io/repo.git", "ftp://bob:{}@files.acme.io/", "clone http://ci:{}@10.1.1.1/x"),
        True,
    ),
    "basic_auth": (basic, ("Authorization: Basic {}", "curl -H 'Authorization: basic {}' https://acme.io"), True),
    "bearer_token": (shape((ALNUM, 40)), ("Authorization: Bearer {}", "send it as bearer {} in the header"), True),
    "authorization_header": (shape((HEX, 40)), ("Authorization: token {}", '"authorization": "{}"'), True),
    "session_cookie": (
        shape((ALNUM, 32)),
        ("Cookie: theme=dark; sessionid={}; lang=en", "Set-Cookie: PHPSESSID={}; path=/"),
        True,
    ),
    "curl_user": (password, ("curl -u admin:{} https://acme.io/api",), False),
    "command_password": (password, ("sshpass -p {} ssh root@10.0.0.1",), False),
    "payment_card": (card, ("my card is {}", "{}", "charge {} please, exp 04/27", "Visa: {}."), False),
    "card_security_code": (
        lambda d: digits(d, 3),
        ("the cvv is {}", "CVC: {}", "security code {}", "cvv2 = {}"),
        False,
    ),
    "iban": (iban, ("send it to {}", "IBAN: {}", "my account is {}, thanks"), False),
    "us_ssn": (ssn, ("my ssn is {}", "SSN: {}", "social security number {}", "she gave me {} over the phone"), False),
    "us_ssn_bare": (
        lambda d: ssn(d).replace("-", ""),
        ("my ssn is {}", "SSN: {}", "social security number: {}"),
        False,
    ),
    "uk_nino": (nino, ("my national insurance number is {}", "NINO: {}", "NI number {}"), False),
    "in_aadhaar": (aadhaar, ("my aadhaar is {}", "Aadhaar number: {}", "aadhar card no {}"), False),
    "in_pan": (pan, ("my PAN is {}", "PAN: {}", "pan card number {}", "{}"), False),
    "passport": (
        one_of(shape((string.ascii_uppercase, 1), (string.digits, 8)), shape((string.digits, 9))),
        ("my passport number is {}", "Passport No: {}", "passport {} expires in May"),
        False,
    ),
    "drivers_license": (
        shape((string.ascii_uppercase, 1), (string.digits, 7)),
        ("my driver's license number is {}", "driving licence: {}"),
        False,
    ),
    "us_routing_number": (
        weighted_number((3, 7, 1, 3, 7, 1, 3, 7, 1), 10, ("02", "11", "26", "31")),
        ("routing number: {}", "the routing number is {}"),
        False,
    ),
    "bank_account": (shape((string.digits, 10)), ("account number: {}", "my bank account is {}"), False),
    "ca_sin": (sin, ("my SIN is {}", "social insurance number: {}"), False),
    "au_tfn": (weighted_number((1, 4, 3, 7, 5, 8, 6, 9, 10), 11), ("my tax file number is {}", "TFN: {}"), False),
    "uk_nhs_number": (
        weighted_number((10, 9, 8, 7, 6, 5, 4, 3, 2, 1), 11),
        ("NHS number: {}", "my nhs number is {}"),
        False,
    ),
    "br_cpf": (cpf, ("meu cpf: {}", "{}"), False),
    "fr_nir": (nir, ("mon numéro de sécu : {}", "{}"), False),
    "password": (
        password,
        (
            "my password is {}",
            "The password is {}.",
            "password: {}",
            "Password = {}",
            "the wifi password is {}, don't share it",
            "my password for the bank is still {}",
            "PASSWORD={}",
            'password="{}"',
            "DB_PASSWORD: '{}'",
            "change my password to {}",
            "log in with password {}",
            "user bob, pwd: {}",
            "our password was {} until May",
            '{"password": "{}"}',
            "--password={}",
            "the passcode is {}",
            "the password for the router is '{}'",
        ),
        False,
    ),
    "password_word": (
        plain_password,
        (
            "my password is {}",
            "my password is {}.",
            "the wifi password is {}, ok?",
            'the password is "{}"',
            "password: {}",
            "PASSWORD={}",
        ),
        False,
    ),
    "passphrase": (
        lambda d: " ".join(d.choices("correct horse battery staple violet engine river candle".split(), k=4)),
        ("my passphrase is {}", 'passphrase: "{}"', "the passphrase is '{}'", "passphrase: {}"),
        False,
    ),
    "pin": (
        lambda d: digits(d, 4),
        ("my pin is {}", "PIN: {}", "the pin for my card is {}", "pin code is {}", "pin {}", "the PIN number is {}."),
        False,
    ),
    "api_key": (
        one_of(shape((ALNUM, 32)), shape((HEX, 32)), shape((ALNUM, 20))),
        (
            "api key: {}",
            "my api key is {}",
            "API_KEY={}",
            'apikey: "{}"',
            "x-api-key: {}",
            "the API key for the weather service is {}",
            '"apiKey": "{}"',
        ),
        False,
    ),
    "secret": (
        one_of(shape((ALNUM, 32)), shape((HEX, 40)), shape((ALNUM, 16))),
        (
            "client_secret={}",
            "secret: {}",
            "the client secret is {}",
            'CLIENT_SECRET: "{}"',
            "shared secret = {}",
            "app secret: {}",
        ),
        False,
    ),
    "token": (
        one_of(shape((ALNUM, 40)), shape((HEX, 40)), shape((ALNUM, 24))),
        (
            "token: {}",
            "my access token is {}",
            "ACCESS_TOKEN={}",
            "auth_token = '{}'",
            "refresh token: {}",
            "use the token {}",
            "--token {}",
        ),
        False,
    ),
    "phrased_password": (password, phrasings.PASSWORDS, False),
    "phrased_key": (one_of(shape((ALNUM, 32)), shape((HEX, 40))), phrasings.KEYS, False),
    "phrased_pin": (lambda d: digits(d, 4), phrasings.PINS, False),
    "phrased_ssn": (ssn, phrasings.SSNS, False),
    "phrased_card": (card, phrasings.CARDS, False),
    "seed_phrase_12": (seed_phrase(12), ("my seed phrase is {}", "recovery phrase: {}", "mnemonic: {}"), False),
    "seed_phrase_24": (seed_phrase(24), ("seed phrase: {}", "here is my wallet mnemonic: {}"), False),
}

FRAMES: tuple[str, ...] = (
    "{}",
    "here it is: {}",
    "export KEY={}",
    'config = {"key": "{}"}',
    "use `{}` for now.",
    "I pasted {}, please forget it",
    "deploy fails with {}.\nWhat now?",
    "KEY='{}'",
    "({})",
)


DISGUISES: dict[str, Callable[[str], str]] = {
    "full width": lambda text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text),
    "zero width": lambda text: "\u200b".join(text),
    "soft hyphens": lambda text: "\u00ad".join(text),
    "word joiners": lambda text: "\u2060".join(text),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "byte order mark": lambda text: "\ufeff" + text[:3] + "\ufeff" + text[3:],
}
