"""Organisations that are read even when written in lower case.

Decides: which lower-case words after "I work at" are an employer. A name with a capital needs no list.
Never: says what an organisation does.
"""

from functools import cache

from recollect.core.write.facts.lexicon.entry import entries

_ORGANISATIONS = """
accenture, adidas, adobe, airbnb, airbus, alibaba, amazon, amd, apple, asml, at&t, aws, bain, barclays, bbc, bcg
bloomberg, bmw, boeing, bosch, booking.com, bp, capgemini, cern, cisco, citi, cloudflare, coca-cola, comcast, costco
databricks, deepmind, dell, deloitte, dhl, disney, doordash, dropbox, dyson, ebay, epic games, ericsson, esa
ey, facebook, fedex, ford, github, gitlab, goldman sachs, google, hp, hsbc, huawei, hubspot, ibm, ikea, infosys
instacart, intel, jpmorgan, klarna, kpmg, lego, lenovo, lg, linkedin, lockheed martin, lyft, maersk, mastercard
mcdonalds, mcdonald's, mckinsey, mercedes, meta, microsoft, mit, morgan stanley, mozilla, nasa, netflix, nhs, nike
nintendo, nokia, nvidia, openai, oracle, palantir, paypal, pepsi, pfizer, philips, pinterest, pixar, porsche, pwc
qualcomm, red hat, reddit, revolut, roche, rolls-royce, salesforce, samsung, sap, shell, shopify, siemens, snap
snapchat, sony, spacex, spotify, stanford, starbucks, stripe, target, tesco, tesla, tiktok, toyota, twitch, twitter
uber, ubisoft, unicef, unilever, ups, usps, verizon, visa, volkswagen, volvo, walmart, wells fargo, who, wipro
workday, xerox, yahoo, zalando, zoom, tata, tcs, siemens energy, red cross, the red cross, the post office
"""


@cache
def organisations() -> frozenset[str]:
    """Known organisations, in lower case."""
    return entries(_ORGANISATIONS)
