"""Places that are read even when written in lower case, and words in capitals that are no place.

Decides: which lower-case words may be a place ("i live in lisbon"). A place written with a capital needs no list.
Never: says where a place is.
"""

from functools import cache

from recollect.core.write.facts.lexicon.entry import entries

_COUNTRIES = """
afghanistan, albania, algeria, argentina, armenia, australia, austria, azerbaijan, bahrain, bangladesh, belarus
belgium, bolivia, bosnia, botswana, brazil, bulgaria, burundi, cambodia, cameroon, canada, chile, china, colombia
costa rica, croatia, cuba, cyprus, czechia, denmark, dominican republic, ecuador, egypt, el salvador, england
estonia, ethiopia, fiji, finland, france, gambia, germany, ghana, greece, guatemala, haiti, honduras, hong kong
hungary, iceland, india, indonesia, iran, iraq, ireland, israel, italy, ivory coast, jamaica, japan, kazakhstan
kenya, kosovo, kuwait, latvia, lebanon, libya, lithuania, luxembourg, madagascar, malawi, malaysia, maldives, mali
malta, mauritius, mexico, moldova, monaco, mongolia, montenegro, morocco, mozambique, myanmar, namibia, nepal
netherlands, new zealand, nicaragua, nigeria, north macedonia, northern ireland, norway, oman, pakistan, palestine
panama, paraguay, peru, philippines, poland, portugal, puerto rico, qatar, romania, russia, rwanda, saudi arabia
scotland, senegal, serbia, singapore, slovakia, slovenia, somalia, south africa, south korea, spain, sri lanka
sudan, sweden, switzerland, syria, taiwan, tanzania, thailand, tunisia, turkey, uganda, uk, ukraine
united arab emirates, united kingdom, united states, uruguay, usa, uzbekistan, venezuela, vietnam, wales, yemen
zambia, zimbabwe, us, u.s., u.s.a., u.k., uae
"""

_REGIONS = """
alabama, alaska, arizona, arkansas, california, colorado, connecticut, delaware, florida, georgia, hawaii, idaho
illinois, indiana, iowa, kansas, kentucky, louisiana, maine, maryland, massachusetts, michigan, minnesota
mississippi, missouri, montana, nebraska, nevada, new hampshire, new jersey, new mexico, new york, north carolina
north dakota, ohio, oklahoma, oregon, pennsylvania, rhode island, south carolina, south dakota, tennessee, texas
utah, vermont, virginia, washington, west virginia, wisconsin, wyoming
alberta, british columbia, manitoba, new brunswick, newfoundland, nova scotia, ontario, quebec, saskatchewan
bavaria, catalonia, andalusia, tuscany, sicily, sardinia, brittany, normandy, provence, flanders, wallonia, saxony
queensland, tasmania, victoria, new south wales, western australia, south australia
punjab, kerala, karnataka, maharashtra, gujarat, tamil nadu, west bengal, rajasthan, goa
the bay area, bay area, silicon valley, the midwest, the highlands, cornwall, devon, yorkshire, kent, essex, surrey
"""

_CITIES = """
aberdeen, abu dhabi, accra, addis ababa, adelaide, albuquerque, alexandria, algiers, almaty, amman, amsterdam
anchorage, ankara, antwerp, athens, atlanta, auckland, austin, baghdad, baku, bali, baltimore, bangalore, bengaluru
bangkok, barcelona, basel, beijing, beirut, belfast, belgrade, bergen, berlin, bern, bilbao, birmingham, bogota
bogotá, boise, bologna, bombay, bordeaux, boston, brasilia, bratislava, bremen, brighton, brisbane, bristol, brno
brooklyn, bruges, brussels, bucharest, budapest, buenos aires, buffalo, cairo, calcutta, calgary, cambridge
canberra, cape town, caracas, cardiff, casablanca, charlotte, chennai, chiang mai, chicago, cincinnati, cleveland
cologne, colombo, columbus, copenhagen, cork, cracow, curitiba, dakar, dallas, damascus, delhi, denver, des moines
detroit, dhaka, doha, dresden, dubai, dublin, durban, dusseldorf, düsseldorf, edinburgh, edmonton, eindhoven
florence, frankfurt, fukuoka, galway, gdansk, gdańsk, geneva, genoa, ghent, glasgow, gothenburg, granada, graz
guadalajara, guangzhou, hague, halifax, hamburg, hanoi, hanover, harare, havana, helsinki, hiroshima
ho chi minh city, honolulu, houston, hyderabad, indianapolis, innsbruck, istanbul, izmir, jacksonville, jakarta
jerusalem, johannesburg, kampala, kansas city, karachi, kathmandu, kazan, khartoum, kharkiv, kiev, kyiv, kigali
kingston, kinshasa, kobe, kolkata, krakow, kraków, kuala lumpur, kyoto, lagos, lahore, las vegas, leeds, leicester
leipzig, lima, lisbon, liverpool, ljubljana, lodz, london, los angeles, louisville, luanda, lusaka, lviv, lyon
madison, madrid, malaga, málaga, malmo, malmö, manchester, manila, maputo, marrakesh, marseille, medellin
medellín, melbourne, memphis, miami, milan, milwaukee, minneapolis, minsk, monterrey, montevideo, montpellier
montreal, moscow, mumbai, munich, nagoya, nairobi, nantes, naples, nashville, new delhi, new orleans, newcastle
new york city, nyc, nice, nicosia, nottingham, novi sad, oakland, odesa, odessa, oklahoma city, omaha, orlando
osaka, oslo, ottawa, oxford, palermo, paris, perth, philadelphia, philly, phoenix, pittsburgh, plymouth, portland
porto, porto alegre, prague, pretoria, providence, pune, quito, raleigh, rabat, reykjavik, riga
rio, rio de janeiro, riyadh, rome, rotterdam, sacramento, saigon, salt lake city, salvador, salzburg, san antonio
san diego, san francisco, san jose, san juan, santiago, santo domingo, sao paulo, são paulo, sapporo, sarajevo
savannah, seattle, seoul, seville, shanghai, sheffield, shenzhen, skopje, sofia, southampton, st louis, st. louis
st. petersburg, stockholm, strasbourg, stuttgart, sydney, taipei, tallinn, tampa, tampere, tartu, tashkent, tbilisi
tehran, tel aviv, the hague, thessaloniki, tirana, tokyo, toronto, toulouse, trieste, tripoli, tucson, tunis, turin
turku, utrecht, valencia, valparaíso, vancouver, venice, verona, vienna, vilnius, warsaw, washington dc
wellington, windhoek, winnipeg, wroclaw, wrocław, wuhan, yangon, yerevan, york, zagreb, zanzibar, zurich, zürich
la, sf, dc, d.c., washington d.c., côte d'ivoire
"""

# Written with a capital and said after "in" or "from", yet no place to live.
_NOT_PLACES = """
monday, tuesday, wednesday, thursday, friday, saturday, sunday
january, february, march, april, may, june, july, august, september, october, november, december
spring, summer, autumn, winter, english, french, spanish, german, italian, portuguese, dutch, chinese, japanese
excel, word, powerpoint, vim, emacs, git, github, gitlab, slack, teams, zoom, jira, notion, figma, python, java
javascript, typescript, rust, go, html, css, sql, linux, windows, macos, docker, kubernetes, chrome, safari
room, building, apartment, suite, floor, block, unit, house, area, district, zone, sector, cell, dorm, hall, section
level, chapter, step, stage, phase, part, page, question, minecraft, hell, heaven, fear, peace, denial, limbo
ikea, twitter, facebook, instagram, reddit, tiktok, youtube, discord, mars, space, christmas, easter
ai, it, hr, qa, ux, ui, pr, tv, vr, love, hope, god, jesus, christ, debt, pain, chaos, style
"""


@cache
def known_places() -> frozenset[str]:
    """Cities, countries and regions, in lower case."""
    return entries(_COUNTRIES) | entries(_REGIONS) | entries(_CITIES)


@cache
def enclosing_places() -> frozenset[str]:
    """What may follow a comma after a town: a region or a country."""
    return entries(_COUNTRIES) | entries(_REGIONS)


@cache
def not_places() -> frozenset[str]:
    """Capitalised words that are never read as a place."""
    return entries(_NOT_PLACES)
