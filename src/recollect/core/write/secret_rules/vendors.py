"""Values without a shape of their own (32 hex digits, a UUID) that their vendor's name on the same line gives away.

Never: calls a bare hash or UUID a secret; a word such as key, token or secret has to stand between name and value.
Spec: ruling 10; reliability sheet S4.
"""

from __future__ import annotations

from recollect.core.write.secret_rules.checks import vendor_value
from recollect.core.write.secret_rules.developer import UUID
from recollect.core.write.secret_rules.rule import Rule, near

# code, description, vendor names, value. Lengths are the vendors' own where they publish them.
_TABLE: tuple[tuple[str, str, tuple[str, ...], str], ...] = (
    ("datadog_key", "Datadog API or application key", ("datadog", "dd_api", "dd_app"), r"[a-f0-9]{32}(?:[a-f0-9]{8})?"),
    ("cloudflare_token", "Cloudflare API token or global key", ("cloudflare", "cf_api"), r"[A-Za-z0-9_-]{37,40}"),
    ("fastly_token", "Fastly token", ("fastly",), r"[A-Za-z0-9_-]{32}"),
    ("heroku_key", "Heroku key in its older form", ("heroku",), UUID),
    ("vercel_key", "Vercel token in its older form", ("vercel",), r"[A-Za-z0-9]{24}"),
    ("twilio_auth_token", "Twilio auth token", ("twilio",), r"[a-f0-9]{32}"),
    ("pagerduty_key", "PagerDuty key", ("pagerduty", "pager_duty", "pd_api"),
     r"(?:[a-z]\+[A-Za-z0-9_+-]{18}|[A-Za-z0-9_+-]{20}|[a-f0-9]{32})"),
    ("okta_token", "Okta token", ("okta", "ssws"), r"00[A-Za-z0-9_-]{40}"),
    ("auth0_secret", "Auth0 client secret", ("auth0",), r"[A-Za-z0-9_-]{48,80}"),
    ("cohere_key", "Cohere key", ("cohere", "co_api"), r"[A-Za-z0-9]{40}"),
    ("mistral_key", "Mistral key", ("mistral",), r"[A-Za-z0-9]{32}"),
    ("wandb_key", "Weights & Biases key", ("wandb",), r"[a-f0-9]{40}"),
    ("azure_key", "Azure AI key or DevOps token", ("azure",), r"(?:[A-Za-z0-9]{84}|[a-z2-7]{52}|[a-f0-9]{32})"),
    ("linkedin_client_secret", "LinkedIn client secret or token", ("linkedin",),
     r"(?:[A-Za-z0-9]{16}|AQ[A-Za-z0-9_-]{60,400})"),
    ("twitter_secret", "X (Twitter) consumer or access secret", ("twitter",),
     r"(?:[0-9]{8,20}-[A-Za-z0-9]{40}|[A-Za-z0-9]{45,50}|[A-Za-z0-9]{25})"),
    ("facebook_secret", "Facebook app secret", ("facebook", "fb_app"), r"[a-f0-9]{32}"),
    ("paypal_secret", "PayPal client secret", ("paypal",), r"[A-Za-z0-9_-]{64,100}"),
    ("airtable_key", "Airtable key in its older form", ("airtable",), r"key[A-Za-z0-9]{14}"),
    ("algolia_key", "Algolia admin key", ("algolia",), r"[a-f0-9]{32}"),
    ("linode_token", "Linode token", ("linode",), r"[a-f0-9]{64}"),
    ("hetzner_token", "Hetzner token", ("hetzner", "hcloud"), r"[A-Za-z0-9]{64}"),
    ("opsgenie_key", "Opsgenie key", ("opsgenie",), UUID),
    ("postmark_token", "Postmark server token", ("postmark",), UUID),
    ("snyk_token", "Snyk token", ("snyk",), UUID),
    ("codecov_token", "Codecov token", ("codecov",), rf"(?:{UUID}|[a-f0-9]{{32}})"),
    ("travis_token", "Travis CI token", ("travis",), r"[A-Za-z0-9_-]{22}"),
    ("rollbar_token", "Rollbar token", ("rollbar",), r"[a-f0-9]{32}"),
    ("mixpanel_secret", "Mixpanel secret", ("mixpanel",), r"[a-f0-9]{32}"),
    ("confluent_secret", "Confluent secret", ("confluent",), r"[A-Za-z0-9+/]{64}"),
    ("elastic_key", "Elastic key", ("elastic",), r"[A-Za-z0-9_=-]{50,80}"),
    ("influx_token", "InfluxDB token", ("influx",), r"[A-Za-z0-9_-]{86}=="),
    ("ngrok_token", "ngrok token", ("ngrok",), r"[A-Za-z0-9]{20,32}_[A-Za-z0-9]{20,32}"),
    ("zendesk_token", "Zendesk token", ("zendesk",), r"[A-Za-z0-9]{40}"),
    ("trello_key", "Trello key or token", ("trello",), r"(?:[a-f0-9]{64}|[a-f0-9]{32}|ATTA[a-f0-9]{60,80})"),
    ("spotify_secret", "Spotify client secret", ("spotify",), r"[a-f0-9]{32}"),
    ("coinbase_secret", "Coinbase secret", ("coinbase",), r"[A-Za-z0-9+/=_-]{32,90}"),
    ("binance_secret", "Binance key or secret", ("binance",), r"[A-Za-z0-9]{64}"),
    ("openweather_key", "OpenWeather key", ("openweather",), r"[a-f0-9]{32}"),
    ("bitbucket_secret", "Bitbucket client secret", ("bitbucket",), r"(?:[A-Za-z0-9=_-]{64}|[A-Za-z0-9]{32})"),
    ("discord_secret", "Discord client secret", ("discord",), r"(?:[a-f0-9]{64}|[A-Za-z0-9=_-]{32})"),
    ("hubspot_key", "HubSpot key in its older form", ("hubspot",), rf"(?i:{UUID})"),
    ("netlify_key", "Netlify token in its older form", ("netlify",), r"[A-Za-z0-9=_-]{40,46}"),
    ("plaid_secret", "Plaid secret", ("plaid",), r"[a-z0-9]{30}"),
    ("asana_secret", "Asana client secret", ("asana",), r"[a-z0-9]{32}"),
    ("sentry_key", "Sentry token in its older form", ("sentry",), r"[a-f0-9]{64}"),
    ("twitch_token", "Twitch secret or token", ("twitch",), r"[a-z0-9]{30}"),
    ("gitlab_secret", "GitLab secret", ("gitlab",), r"[a-f0-9]{64}"),
)  # fmt: skip

VENDORS: tuple[Rule, ...] = tuple(
    Rule(
        code=code,
        about=about,
        keywords=names,
        pattern=near("|".join(names), value),
        check=vendor_value,
    )
    for code, about, names, value in _TABLE
)
