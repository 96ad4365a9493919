"""Tokens of payment, messaging, social and office services that can be told by their shape alone.

Never: needs a vendor's name nearby (see vendors.py).
Spec: ruling 10; reliability sheet S4.
"""

from __future__ import annotations

from recollect.core.write.secret_rules.checks import random_enough
from recollect.core.write.secret_rules.developer import UUID
from recollect.core.write.secret_rules.rule import LEFT, RIGHT, Rule


def _token(code: str, about: str, keywords: tuple[str, ...], pattern: str) -> Rule:
    return Rule(code=code, about=about, keywords=keywords, pattern=LEFT + pattern, check=random_enough)


_PAYMENT: tuple[Rule, ...] = (
    _token(
        "stripe_key",
        "Stripe secret or restricted key",
        ("k_live_", "k_test_", "k_prod_"),
        r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,255}",
    ),
    _token("webhook_secret", "Stripe or Svix webhook secret", ("whsec_",), r"whsec_[A-Za-z0-9+/]{24,80}={0,2}"),
    _token(
        "square_token",
        "Square access token or application secret",
        ("sq0atp-", "sq0csp-", "eaaal", "eaaae"),
        r"(?:sq0atp-[A-Za-z0-9_-]{22}|sq0csp-[A-Za-z0-9_-]{43}|EAAA[lE][A-Za-z0-9_-]{59})" + RIGHT,
    ),
    _token(
        "braintree_token",
        "PayPal Braintree access token",
        ("access_token$",),
        r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}",
    ),
    _token("plaid_token", "Plaid access token", ("access-",), rf"access-(?:sandbox|development|production)-{UUID}"),
    _token("razorpay_key", "Razorpay key id", ("rzp_",), r"rzp_(?:live|test)_[A-Za-z0-9]{14,24}" + RIGHT),
    _token("flutterwave_key", "Flutterwave secret key", ("flwseck",), r"FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,64}-X"),
    _token(
        "shopify_token",
        "Shopify token or shared secret",
        ("shpat_", "shpca_", "shppa_", "shpss_", "shpua_"),
        r"shp(?:at|ca|pa|ss|ua)_[a-fA-F0-9]{32}",
    ),
    _token("shippo_token", "Shippo token", ("shippo_",), r"shippo_(?:live|test)_[a-f0-9]{40}"),
    _token("easypost_key", "EasyPost key", ("ezak", "eztk"), r"EZ[AT]K[A-Za-z0-9]{54}"),
    _token("duffel_token", "Duffel token", ("duffel_",), r"duffel_(?:live|test)_[A-Za-z0-9_=-]{43}"),
)

_MESSAGING: tuple[Rule, ...] = (
    _token(
        "slack_token",
        "Slack bot, user, app, refresh or configuration token",
        ("xox", "xapp-", "xwfp-"),
        r"(?:xox[abeoprsc](?:\.xox[bp])?-[A-Za-z0-9-]{10,250}|xapp-[0-9]-[A-Za-z0-9-]{20,250}|xwfp-[A-Za-z0-9-]{20,250})",
    ),
    Rule(
        code="slack_webhook",
        about="Slack incoming webhook",
        keywords=("hooks.slack",),
        pattern=r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/]{20,120})",
        check=random_enough,
    ),
    Rule(
        code="discord_webhook",
        about="Discord webhook",
        keywords=("/api/webhooks/",),
        pattern=r"discord(?:app)?\.com/api/webhooks/([0-9]{15,21}/[A-Za-z0-9_-]{50,90})",
        check=random_enough,
    ),
    Rule(
        code="teams_webhook",
        about="Microsoft Teams webhook",
        keywords=("webhook.office.com",),
        pattern=r"webhook\.office\.com/(webhookb2/[A-Za-z0-9@/-]{60,300})",
        check=random_enough,
    ),
    Rule(
        code="zapier_webhook",
        about="Zapier catch hook",
        keywords=("hooks.zapier.com",),
        pattern=r"hooks\.zapier\.com/hooks/catch/([0-9]{4,12}/[A-Za-z0-9]{5,16})",
    ),
    _token("twilio_key", "Twilio API key", ("sk",), r"SK[0-9a-f]{32}" + RIGHT),
    _token("sendgrid_key", "SendGrid key", ("sg.",), r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}"),
    _token(
        "mailgun_key",
        "Mailgun key",
        ("key-", "-"),
        r"(?:key-[a-f0-9]{32}|[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8})" + RIGHT,
    ),
    _token("mailchimp_key", "Mailchimp key", ("-us",), r"[a-f0-9]{32}-us[0-9]{1,2}" + RIGHT),
    _token("brevo_key", "Brevo key", ("xkeysib-", "xsmtpsib-"), r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    _token("resend_key", "Resend key", ("re_",), r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}" + RIGHT),
    _token("telegram_bot_token", "Telegram bot token", (":a",), r"[0-9]{6,16}:A[A-Za-z0-9_-]{34}" + RIGHT),
    _token(
        "discord_bot_token",
        "Discord bot token",
        (".",),
        r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}" + RIGHT,
    ),
    _token(
        "facebook_token",
        "Facebook or Instagram access token",
        ("eaa", "igq"),
        r"(?:EAA[A-Za-z0-9]{80,400}|IGQ[A-Za-z0-9_-]{80,400})",
    ),
    _token(
        "facebook_app_token",
        "Facebook app access token",
        ("|", "%7c"),
        r"[0-9]{13,17}(?:\||%7C)[A-Za-z0-9_-]{27,40}" + RIGHT,
    ),
    _token("twitter_bearer", "X (Twitter) bearer token", ("aaaaaaaaaaaaaaaaaa",), r"A{18,24}[A-Za-z0-9%]{40,200}"),
    _token(
        "linkedin_secret",
        "LinkedIn client secret",
        ("wpl_ap",),
        r"WPL_AP[0-9]\.[A-Za-z0-9]{16}\.[A-Za-z0-9+/]{6,10}={0,2}",
    ),
)

_OFFICE: tuple[Rule, ...] = (
    _token("linear_key", "Linear key", ("lin_api_", "lin_oauth_"), r"lin_(?:api|oauth)_[A-Za-z0-9]{40,64}"),
    _token(
        "notion_token",
        "Notion integration token",
        ("secret_", "ntn_"),
        r"(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,60})" + RIGHT,
    ),
    _token("airtable_token", "Airtable personal access token", ("pat",), r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    _token(
        "asana_token",
        "Asana personal access token",
        ("/1",),
        r"[012]/(?:[0-9]{10,20}/)?[0-9]{10,20}:[a-f0-9]{32}" + RIGHT,
    ),
    _token(
        "figma_token", "Figma token", ("figd_", "figo_", "figu_", "figor_"), r"fig(?:d|o|u|or)_[A-Za-z0-9_-]{36,60}"
    ),
    _token("dropbox_token", "Dropbox access token", ("sl.",), r"sl\.(?:u\.)?[A-Za-z0-9_-]{100,1400}"),
    _token("hubspot_token", "HubSpot private app token", ("pat-",), rf"pat-(?:na|eu|ap)[0-9]-{UUID}"),
    _token("typeform_token", "Typeform token", ("tfp_",), r"tfp_[A-Za-z0-9_.-]{40,80}(?<!\.)"),
    _token("clickup_token", "ClickUp token", ("pk_",), r"pk_[0-9]{5,10}_[A-Z0-9]{32}" + RIGHT),
)

BUSINESS: tuple[Rule, ...] = (*_PAYMENT, *_MESSAGING, *_OFFICE)
