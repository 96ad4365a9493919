"""The nouns that name what somebody does for a living, and the words that make such a noun mean something else.

Decides: which noun after "I'm a" is an occupation. Open suffix rules ("-er") are not used: a dreamer is no job.
Never: ranks occupations.
"""

from functools import cache

from recollect.core.write.facts.lexicon.entry import entries

_ROLES = """
accountant, actor, actress, actuary, administrator, admin, advisor, adviser, advocate, agronomist, ambassador
analyst, anesthesiologist, animator, anthropologist, apprentice, archaeologist, architect, archivist, artist
assistant, associate, astronomer, astrophysicist, attorney, auditor, author, auctioneer, au pair, baker, banker
barber, barista, barrister, bartender, beautician, beekeeper, biochemist, biologist, blacksmith, blogger, bookkeeper
bookseller, botanist, bricklayer, broker, builder, butcher, buyer, captain, caregiver, carer, caretaker, carpenter
cartographer, cashier, ceo, cfo, chef, chemist, chiropractor, choreographer, cinematographer, civil servant, cleaner
clerk, cmo, coach, columnist, comedian, composer, conductor, conservationist, consultant, contractor, controller, coo
cook, coordinator, copywriter, coroner, counselor, counsellor, courier, cpo, cto, curator, dancer, data scientist
dba, dealer, dean, dentist, dermatologist, designer, detective, developer, dev, devops, diplomat, director, dispatcher
diver, dj, doctor, doctoral candidate, driver, ecologist, economist, editor, electrician, engineer, entomologist
entrepreneur, epidemiologist, estate agent, executive, farmer, farrier, filmmaker, firefighter, fireman, fisherman
flight attendant, florist, founder, co-founder, cofounder, freelancer, gardener, geneticist, geographer, geologist
goldsmith, graphic designer, gp, grad student, guide, gynecologist, hairdresser, hairstylist, handyman, head teacher
headmaster, historian, homemaker, housekeeper, housewife, hygienist, illustrator, immunologist, inspector, instructor
interpreter, intern, investigator, investor, janitor, jeweler, jeweller, journalist, judge, lab technician, landscaper
law student, lawyer, lecturer, legislator, lexicographer, librarian, lifeguard, linguist, locksmith, machinist, magician
maintainer, manager, marketer, mason, massage therapist, mathematician, mechanic, meteorologist, microbiologist
midwife, miner, minister, model, mortician, musician, nanny, neurologist, neuroscientist, neurosurgeon, novelist, nurse
nutritionist, dietitian, obstetrician, oceanographer, officer, oncologist, operator, ophthalmologist, optician
optometrist, orthodontist, osteopath, owner, painter, paralegal, paramedic, parking attendant, pastor, pathologist
pediatrician, paediatrician, personal trainer, pharmacist, pharmacologist, philosopher, photographer, photojournalist
physician, physicist, physio, physiotherapist, physical therapist, pianist, pilot, planner, plasterer, playwright
plumber, podcaster, poet, police officer, policeman, policewoman, politician, postdoc, postman, potter, practitioner
president, priest, principal, product manager, producer, professor, programmer, proofreader, psychiatrist
psychologist, psychotherapist, publisher, rabbi, radiographer, radiologist, realtor, receptionist, recruiter, referee
registrar, reporter, researcher, resident, roofer, sailor, salesman, salesperson, saleswoman, sales rep
schoolteacher, scientist, screenwriter, scrum master, sculptor, seamstress, secretary, security guard, shepherd
singer, social worker, sociologist, soldier, solicitor, sommelier, songwriter, specialist, speech therapist, sre
statistician, steward, stewardess, stockbroker, stonemason, storyteller, streamer, student, stylist, supervisor
surgeon, surveyor, sysadmin, tailor, tattoo artist, taxi driver, teacher, teaching assistant, tech lead, technician
technologist, tester, therapist, toxicologist, trader, trainee, trainer, translator, travel agent, treasurer, tutor
typist, underwriter, undergrad, undergraduate, upholsterer, urban planner, urologist, usher, vet, vet tech
veterinarian, videographer, violinist, virologist, vp, waiter, waitress, warden, watchmaker, web developer, welder
winemaker, writer, youtuber, zookeeper, zoologist, phd student, phd candidate, stay-at-home mom, stay-at-home dad
stay at home mom, stay at home dad, homemaker, veteran, nun, monk, lead, quant, cio, ciso, evp, svp, strategist
"""

# A noun of the list that is more often a figure of speech unless something marks it as a job.
_WEAK_ROLES = """
assistant, associate, captain, coach, conductor, controller, dealer, director, diver, driver, guide, judge, lead
magician, minister, model, operator, owner, painter, poet, potter, principal, resident, sailor, shepherd, singer
dancer, soldier, steward, trainer, warden, writer, builder, buyer, cook, maintainer, tester, admin, dj, miner
investor, comedian, storyteller, advocate, president, philosopher, streamer, referee, usher, officer
"""

# A modifier that turns the noun into praise, blame, wish or past.
_SPOILERS = """
bad, good, great, terrible, awful, big, huge, better, best, worse, worst, lousy, natural, born, total, real, true
such, complete, little, bit, kind, sort, lot, fan, self-proclaimed, wannabe, would-be, aspiring, failed, former, ex
mediocre, decent, fine, perfect, pretend, fake, fictional, future, potential, budding, closet, secret, amazing
awesome, excellent, horrible, slow, fast, happy, lucky, proud, typical, average, mere, simple, glorified, human
fellow, avid, competitive, regular, frequent, keen, passionate, compulsive, terrible, poor, dead, man, not
only, first, last, other, next, main, oldest, youngest
very, really, pretty, quite, rather, the, a, an, my, your, his, her, their, our, of, in, on, at, to, and, or, for
"""

# What somebody leads, when said without an article: "I'm head of cardiology".
_TITLES = """
ceo, cto, cfo, coo, cmo, cpo, cio, ciso, vp, svp, evp, head, director, president, vice president, managing director
chief of staff, chair, chairman, chairwoman, founder, cofounder, co-founder, owner, dean, professor, editor-in-chief
"""

_INDUSTRIES = """
logistics, finance, marketing, tech, it, healthcare, education, advertising, retail, hospitality, construction
agriculture, sales, insurance, banking, real estate, publishing, consulting, academia, hr, human resources
biotech, pharma, fintech, software, cybersecurity, aerospace, automotive, energy, government, law, journalism
manufacturing, fashion, film, gaming, telecom, telecoms, recruiting, recruitment, security, tourism, media
public relations, pr, customer service, customer support, medicine, public health, social work, renewable energy
data science, machine learning, ai, web development, game development, devops, accounting, politics, policy
the film industry, the music industry, the public sector, the energy sector, the tech industry
"""

_ORG_NOUNS = """
bank, hospital, school, high school, primary school, elementary school, middle school, startup, start-up, university
college, clinic, law firm, nonprofit, non-profit, charity, library, bakery, restaurant, cafe, café, coffee shop
pharmacy, hotel, museum, agency, consultancy, consulting firm, construction company, software company, tech company
design studio, design agency, ad agency, marketing agency, lab, research lab, newspaper, magazine, publisher, ngo
call center, call centre, warehouse, factory, bookstore, bookshop, supermarket, nursing home, daycare, kindergarten
preschool, insurance company, accounting firm, architecture firm, brewery, vineyard, farm, gym, salon, studio, zoo
vet clinic, game studio, record label, theater, theatre, consulting company, biotech company, biotech startup
logistics company, airline, hedge fund, fintech, fintech startup, government agency, shipping company, dealership
"""

_FIELDS = """
biology, marine biology, chemistry, physics, maths, math, mathematics, computer science, history, art history
philosophy, psychology, economics, law, medicine, nursing, architecture, engineering, mechanical engineering
electrical engineering, civil engineering, software engineering, chemical engineering, aerospace engineering
linguistics, literature, english literature, english, sociology, anthropology, archaeology, geology, geography
statistics, data science, machine learning, artificial intelligence, astronomy, astrophysics, biochemistry
biotechnology, neuroscience, political science, international relations, journalism, business, marketing, finance
accounting, business administration, graphic design, design, music, music theory, theology, education, pharmacy
dentistry, veterinary medicine, environmental science, ecology, film, theater, theatre, fine arts, art, photography
genetics, microbiology, public health, social work, urban planning, agriculture, forestry, robotics, bioinformatics
cognitive science, information systems, cybersecurity, game design, interior design, fashion design, classics
"""

_SUBJECTS_TAUGHT = """
chemistry, physics, biology, maths, math, mathematics, history, geography, english, french, spanish, german, latin
music, art, science, computer science, literature, philosophy, economics, yoga, pilates, piano, guitar, violin
kindergarten, first grade, second grade, third grade, fourth grade, fifth grade, sixth grade, drama, pe, law
psychology, programming, statistics, swimming, dance, ballet, karate, ceramics, pottery, cooking
"""


@cache
def roles() -> frozenset[str]:
    """Nouns that name an occupation."""
    return entries(_ROLES)


@cache
def weak_roles() -> frozenset[str]:
    """Occupations that need a modifier or an employer to be believed."""
    return entries(_WEAK_ROLES)


@cache
def spoilers() -> frozenset[str]:
    """Modifiers after which no occupation is read."""
    return entries(_SPOILERS)


@cache
def titles() -> frozenset[str]:
    """Titles said without an article."""
    return entries(_TITLES)


@cache
def industries() -> frozenset[str]:
    """What one can "work in" that is a field and no place."""
    return entries(_INDUSTRIES)


@cache
def organisation_nouns() -> frozenset[str]:
    """Kinds of employer that are worth keeping without a name."""
    return entries(_ORG_NOUNS)


@cache
def fields_of_study() -> frozenset[str]:
    """What one can study."""
    return entries(_FIELDS)


@cache
def subjects_taught() -> frozenset[str]:
    """What one can teach."""
    return entries(_SUBJECTS_TAUGHT)
