"""Fake secrets of the less common families, so that every code of the table has samples.

Never: holds a value that was issued by anybody.
"""

from __future__ import annotations

import string

from .families import (
    ALNUM,
    BASE64,
    HEX,
    LOWER,
    UPPER,
    URLSAFE,
    Draw,
    Make,
    chars,
    digits,
    one_of,
    password,
    seed_phrase,
    shape,
    uuid,
)


def dni(draw: Draw) -> str:
    number = digits(draw, 8)
    return number + "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23]


_FISCAL_ODD = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)


def codice_fiscale(draw: Draw) -> str:
    born = f"{draw.randint(30, 99)}{draw.choice('ABCDEHLMPRST')}{draw.randint(1, 28):02d}"
    body = chars(draw, "BCDFGLMNPRST", 6) + born + draw.choice("ABCDEFGHIL") + digits(draw, 3)
    places = [int(letter) if letter.isdigit() else ord(letter) - 65 for letter in body]
    total = sum(_FISCAL_ODD[place] if at % 2 == 0 else place for at, place in enumerate(places))
    return body + chr(65 + total % 26)


def steuer_id(draw: Draw) -> str:
    body = draw.choice("123456789") + digits(draw, 9)
    product = 10
    for digit in body:
        total = (int(digit) + product) % 10 or 10
        product = total * 2 % 11
    return body + str((11 - product) % 10)


def itin(draw: Draw) -> str:
    return f"9{digits(draw, 2)}-{draw.randint(70, 88)}-{digits(draw, 4)}"


def putty(draw: Draw) -> str:
    return "\n".join(chars(draw, BASE64, 64) for _ in range(8))


def webhook_path(draw: Draw) -> str:
    return f"webhookb2/{uuid(draw)}@{uuid(draw)}/IncomingWebhook/{chars(draw, HEX, 32)}/{uuid(draw)}"


MORE_TOKENS: dict[str, Make] = {
    "aws_bedrock_key": shape("AB", "SK", (BASE64, 128), "="),
    "tencent_secret_id": shape("AK", "ID", (ALNUM, 32)),
    "scaleway_key": shape("SC", "W", (UPPER, 17)),
    "onepassword_token": one_of(
        shape(
            "A", "3-", (UPPER, 6), "-", (UPPER, 6), "-", (UPPER, 5), "-", (UPPER, 5), "-", (UPPER, 5), "-", (UPPER, 5)
        ),
        shape("op", "s_eyJ", (ALNUM, 300)),
    ),
    "clickhouse_key": shape("4b", "1d", (ALNUM, 38)),
    "openshift_token": shape("sha", "256~", (URLSAFE, 42), (ALNUM, 1)),
    "clojars_token": shape("CLO", "JARS_", (LOWER, 60)),
    "sourcegraph_token": one_of(shape("sg", "p_", (HEX, 40)), shape("sg", "p_local_", (HEX, 40))),
    "readme_key": shape("rd", "me_", (LOWER, 70)),
    "mapbox_secret": shape("s", "k.eyJ", (ALNUM, 60), ".", (ALNUM, 22)),
    "harness_token": shape("pa", "t.", (ALNUM, 22), ".", (ALNUM, 24), ".", (ALNUM, 20)),
    "octopus_key": shape("AP", "I-", (UPPER, 26)),
    "infracost_key": shape("ic", "o-", (ALNUM, 32)),
    "prefect_key": shape("pn", "u_", (ALNUM, 36)),
    "together_key": shape("tg", "p_v1_", (URLSAFE, 42), (ALNUM, 1)),
    "cerebras_key": shape("cs", "k-", (LOWER, 48)),
    "jina_key": shape("ji", "na_", (HEX, 32), (URLSAFE, 27), (ALNUM, 1)),
    "voyage_key": shape("p", "a-", (URLSAFE, 42), (ALNUM, 1)),
    "firecrawl_key": shape("f", "c-", (HEX, 32)),
    "flutterwave_key": shape("FLW", "SECK_TEST-", (HEX, 32), "-X"),
    "shippo_token": shape("shi", "ppo_live_", (HEX, 40)),
    "easypost_key": shape("EZ", "AK", (ALNUM, 54)),
    "duffel_token": shape("duf", "fel_test_", (URLSAFE, 42), (ALNUM, 1)),
    "facebook_app_token": shape((string.digits, 15), "|", (URLSAFE, 26), (ALNUM, 1)),
    "linkedin_secret": shape("WPL", "_AP1.", (ALNUM, 16), ".", (ALNUM, 6), "=="),
    "typeform_token": shape("tf", "p_", (URLSAFE, 43), (ALNUM, 1), "_", (ALNUM, 14)),
    "clickup_token": shape("p", "k_", (string.digits, 8), "_", (UPPER, 32)),
    "it_codice_fiscale": codice_fiscale,
}

# Vendor's name and value of those that need the name.
_VENDORS: dict[str, tuple[str, Make]] = {
    "wandb_key": ("wandb", shape((HEX, 40))),
    "azure_key": ("azure", shape((HEX, 32))),
    "facebook_secret": ("facebook", shape((HEX, 32))),
    "airtable_key": ("airtable", shape("key", (ALNUM, 14))),
    "algolia_key": ("algolia", shape((HEX, 32))),
    "linode_token": ("linode", shape((HEX, 64))),
    "hetzner_token": ("hetzner", shape((ALNUM, 64))),
    "opsgenie_key": ("opsgenie", uuid),
    "postmark_token": ("postmark", uuid),
    "snyk_token": ("snyk", uuid),
    "codecov_token": ("codecov", uuid),
    "travis_token": ("travis", shape((ALNUM, 22))),
    "rollbar_token": ("rollbar", shape((HEX, 32))),
    "mixpanel_secret": ("mixpanel", shape((HEX, 32))),
    "confluent_secret": ("confluent", shape((BASE64, 63), (ALNUM, 1))),
    "elastic_key": ("elastic", shape((ALNUM, 60))),
    "influx_token": ("influx", shape((URLSAFE, 86), "==")),
    "ngrok_token": ("ngrok", shape((ALNUM, 27), "_", (ALNUM, 21))),
    "zendesk_token": ("zendesk", shape((ALNUM, 40))),
    "trello_key": ("trello", shape((HEX, 32))),
    "spotify_secret": ("spotify", shape((HEX, 32))),
    "coinbase_secret": ("coinbase", shape((ALNUM, 64))),
    "binance_secret": ("binance", shape((ALNUM, 64))),
    "openweather_key": ("openweather", shape((HEX, 32))),
    "bitbucket_secret": ("bitbucket", shape((ALNUM, 32))),
    "discord_secret": ("discord", shape((URLSAFE, 31), (ALNUM, 1))),
    "hubspot_key": ("hubspot", uuid),
    "netlify_key": ("netlify", shape((URLSAFE, 42), (ALNUM, 1))),
    "plaid_secret": ("plaid", shape((HEX, 30))),
    "asana_secret": ("asana", shape((HEX, 32))),
    "sentry_key": ("sentry", shape((HEX, 64))),
    "twitch_token": ("twitch", shape((LOWER, 30))),
    "gitlab_secret": ("gitlab", shape((HEX, 64))),
}

MORE_FRAMED: dict[str, tuple[Make, tuple[str, ...], bool]] = {
    code: (make, (f"{vendor.upper()}_API_KEY={{}}", f"{vendor} secret token: {{}}", f'my {vendor} key is "{{}}"'), True)
    for code, (vendor, make) in _VENDORS.items()
} | {
    "teams_webhook": (webhook_path, ("https://acme.webhook." + "office.com/{}",), True),
    "zapier_webhook": (
        shape((string.digits, 7), "/", (ALNUM, 7)),
        ("https://hooks." + "zapier.com/hooks/catch/{}/",),
        True,
    ),
    "putty_private_key": (putty, ("Private-" + "Lines: 8\n{}\nPrivate-MAC: x",), True),
    "us_itin": (itin, ("my ITIN is {}", "taxpayer id: {}"), False),
    "es_dni": (dni, ("mi DNI es {}", "NIF: {}"), False),
    "de_tax_id": (steuer_id, ("Steuer-ID: {}", "my German tax id is {}"), False),
    "credential": (password, ("creds: admin:{}", "the credentials are admin / {}"), False),
    "license_key": (
        shape((UPPER, 5), *["-", (UPPER, 5)] * 4),
        ("product key: {}", "the licence is {}"),
        False,
    ),
    "one_time_code": (
        shape((string.digits, 6)),
        ("verification code: {}", "the OTP is {}", "my backup codes: {}"),
        False,
    ),
    "seed_phrase": (seed_phrase(12), ("my seed phrase is {}", "recovery phrase: {}"), False),
}
