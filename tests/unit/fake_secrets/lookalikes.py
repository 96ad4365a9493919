"""Texts that look as if they held a secret and hold none.

Hashes, identifiers, numbers, code, placeholders, and talk about passwords, tokens and keys. Written by hand where
people write by hand, drawn from a seed where machines draw.

Never: holds a secret, real or fake.
"""

from __future__ import annotations

import base64
import hashlib
import random
import string

from .families import HEX, SEED, chars, digits, luhn_digit, uuid

TALK = """
I forgot my password
I forgot my password again, can you help me reset it?
The password is wrong
the password is incorrect
password is required
Password is too short.
The password is weak
my password is expired
My password is too long
my password is not working
my password is the same everywhere
my password is really simple
our password is shared with the team
My password is gone.
My password is secure.
my password is a secret
the password is stored in the vault
the password is on the sticky note
The password is at least 12 characters long
the password is 8 characters long
password is 10 characters
a password is a string of characters
Your password is about to expire
Your password is case-sensitive.
The password was leaked in 2019
the password was changed yesterday
my password was hacked
password: required
Password: must be at least 8 characters
Password: optional
Password: ********
password: <your password>
password: ${DB_PASSWORD}
Password: [redacted]
forgot password: click here
Password reset: check your email
password strength: strong
password manager: Bitwarden
the password policy is strict
password length: 16
password hint: my first pet
password = none
passwords are hard
Passwords are hashed with bcrypt
passwords: 3 of 5 reused
change my password to something safer
change the password to a longer one
set a password to protect the file
reset my password from the settings page
use the password manager
enter the password below
type the password twice
with password protection enabled
I need a new password for my bank account
What is a good password?
what's the password policy here?
the password isn't working
password-protected zip
passwordless login is nice
passphrase is optional
The passphrase is used to encrypt the key on disk
a passphrase is better than a password
the passphrase was never written down anywhere
token is expired
the token is invalid
The token is missing
your token is valid for 30 days
token: a unit of text
Tokens: 4096
tokens are cheap
A token is roughly four characters
this token is used to refresh the session
token of appreciation
as a token of my love, here is a ring
token count: 12045
the token limit is 8192 tokens
max_tokens: 2048
token bucket rate limiting
tokenizer = AutoTokenizer
the tokenizer splits classname into class and name
tokenization is lossy
token type: bearer
the bearer of bad news
bearer bonds are risky investments
the bearer of this letter is my friend
ring bearer responsibilities at the wedding
basic authentication is insecure
basic understanding of algebra
Basic training starts on Monday
the secret is love
the secret is out
my secret is safe with you
secret: never give up
The secret to happiness is gratitude
secret santa is on Friday
secret ingredient: nutmeg
it's a secret: I love karaoke
client secret is missing
trade secrets are protected by law
Victoria's Secret store on 5th
the api key is missing
api key: invalid
API key is required
I lost my api key
where do I find my api key?
rotate the api key every 90 days
the key is under the mat
the key to success is practice
key: value
access key: see the wiki
primary key: user_id
foreign key: order_id
the key ingredient is basil
key lime pie 2024
keyboard shortcuts: ctrl+c
public key cryptography is neat
monkey business
the piano key is C sharp
keynote at 10:30
pin it to the top
pin the version to 1.2.3
connect the LED to pin 13
GPIO pin 17 is high
pinned 3 messages
rolling pin and flour
bobby pin 12 pack
my pin is four digits
the pin code of the area is 560034
pinpoint accuracy of 1234 meters
shopping at 1234 Main Street
the pin is loose
spinning 1000 times
my ssn is private
what is an SSN?
never share your SSN
classname is not an ssn
className: container-12
the classnames are 123-45
social security benefits start at 62
social security office opens at 9
cvv is on the back
CVV: three digits on the back
what does cvc mean?
my passport expires in 2027
passport renewal takes 6 weeks
passport photo 35x45 mm
I lost my passport in Rome in 2019
my driver's license expires in 2026
account number is on the statement
bank account with 3% interest
the routing number is on the check
seed phrase is 12 words long
never type your seed phrase into a website, no matter who is asking you for it today or tomorrow ok
plant the seed in early spring and then water it every day until small green leaves come out of it
recovery phrase backup is important
mnemonic devices help students to remember long lists of words and numbers during very stressful exams
credentials are stored in the keychain
the credentials were rejected
her credentials are impressive
authorization: see section 4
authorization is required
authorize the app
author: J. R. R. Tolkien
authentic Italian food
pan-fry the fish for 5 minutes
Pan Am flight 103
sin 30 degrees is 0.5
it is a sin to waste 100000 dollars
the iban is missing
iban validation failed
private key is missing
-----BEGIN PRIVATE KEY----- is the header of a PEM file
a PEM file starts with -----BEGIN CERTIFICATE-----
how do I generate an ssh key?
ssh-keygen -t ed25519 -C me
I live in Austin, Texas
My access card does not open the door
the session id is stale
the wifi password is on the fridge
The wifi password is written on the back of the router
Is my password safe?
is the password hunter's or yours?
the password prompt is annoying
my password is fine, thanks
my password is terrible, I know
their password is laughable
the login password is identical
my password is strong and unique
the admin password is default
Does anybody know if the password is correct?
The password is invalid!
password is WRONG
YOUR PASSWORD IS EXPIRED
pass the salt
Pass: 12 Fail: 3
he will pass 100 tests
the pass is closed in winter
boarding pass: gate 12
season pass 2024
My password manager is 1Password and it works well
I changed my password last week
the password reset email arrived at 10:45
what happens if the password is longer than 72 bytes?
your password must contain 1 digit and 1 symbol
the password needs 3 things: letters, digits, symbols
password rules: 8+ chars
Password must be 8-16 characters
passwords expire every 90 days
My password for Netflix is too easy to guess
the default password is printed on the router
my password is basically my dog's name
my password is probably outdated by now
his password is never going to work here
our password is in the shared vault
the password is in 1Password under "Home"
Password: see LastPass
the pin is on the back of the card
pin: see attached
remember to pin 2 tickets
Pin 3 is ground
set pin 4 to high
pin 1024 items to the board
I bought a pin for 1500 yen
my pin collection has 1200 pins
token ring networks ran at 16 Mbit/s
1000 tokens cost 0.002 dollars
the token price is 0.0004 ETH
tokens per second: 45.3
context window: 128000 tokens
the token was revoked on 2024-01-02
the access token expires in 3600 seconds
token_type: bearer
expires_in: 3600
the key size is 2048 bits
key length 4096
RSA key with 4096 bits
the key signature is 3 sharps
api key format: sk-...
api key rotation is every 30 days
the secret menu has 12 items
secret level 42
top secret documents from 1962
client secret rotation every 6 months
Secrets of the Pyramids, 2nd edition
credential stuffing attacks rose 300%
my account number of followers is 12345
account balance: 1234567.89
account 20240101 was archived
the bank account has 1200000 yen
routing number of hops: 12
passport control took 45 minutes
my passport was stamped 12 times
passport index 2024 ranks 199 passports
driver's license test on 2024-05-06
sin(x) = 0.123456789
the sin tax raised 123456789 dollars
I was born 1990-12-31
order 123-4567890-1234567 shipped
FedEx 1234 5678 9012
Call 1-800-555-0199
Zoom meeting 812 3456 7890
Meeting ID: 987 6543 2109
conference code 4567890#
my student id is 12345678
employee number 004512
invoice INV-2024-00012
ticket JIRA-12345
uuid 123e4567-e89b-12d3-a456-426614174000
hash: d41d8cd98f00b204e9800998ecf8427e
commit da39a3ee5e6b4b0d3255bfef95601890afd80709
primary key is 1024
the cache key is user:42:profile
partition key = tenant_id
public key: ssh-ed25519
the door code has 4 digits
discount code is SAVE2024
promo code: SUMMER25
zip code 94110
area code 415
country code 49
error code 0x80070005
the error code is 1603
status code: 404
source code is on github
morse code is fun
bar code 4006381333931
QR code 12x12
my code is broken
exit code 137
color code #FF8800
the unlock code expired
screen code review at 1500
basic auth is enabled
basic usage: run make
Bearer tokens are long
the bearer token is short-lived
see https://acme.io/docs/authentication#api-keys
https://acme.io/search?q=password+reset&lang=en
https://example.com/login?next=/account
user:pass format
username:password@host style urls
http://user:pass@example.com/
admin/admin
seed the database with 12 rows and then run all the tests again before lunch today please
the seed is 42
random seed: 1234567
my seed round was 1200000 dollars
the 12 words are listed on page nine of the book that you gave me last year
the password field is focused
I typed the password 3 times
password attempts: 5
password attempt 3 of 5 failed
password-reset-2024 branch
password history of 24 entries
Password: at least one uppercase letter
Password: incorrect
password: invalid credentials
The password is hashed using SHA-256 and salted
the password is base64 encoded
set the password to null
set the password to expire
the password to enter is shown on screen
my password is so long that I can never type it
is my password in the breach?
My password is like a toothbrush
My password is the name of my first cat
her password is his birthday
their password is longer than mine
passcode length is 6
the passcode is required to join
the wifi pass costs 15 dollars
pass 2 of the compiler
single-pass 2x faster
pass rate: 98%
pass@1: 0.67
pass-through entity2
bypass mode3
the compass is broken
pw is an abbreviation
the token "hello" has id 15339
token id 50256 is the end of text
token 3 is a comma
tokens: input 1200, output 350
special token <|endoftext|>
secret sharing with 5 of 7 shares
a secret ballot in 2024
Secret Service agent 47
secret garden 1911
my secret talent: juggling
api keys are 32 characters
api key length is 40
The key insight is that x2y3 cancels
key 5 on the piano
key findings: 3 of 10 users left
keys: a1, b2, c3
registry key HKEY_LOCAL_MACHINE
key id 3AA5C34371567BD2
gpg key 0x3AA5C34371567BD2
the login is broken since v2.3.1
login: 3 failures
credentials: see README
the code is on page 1234
code 1234 in the manual
my lucky number is 1234
PIN entry timeout 3000 ms
pinned at 1200
card game with 52 cards
card 1234 of 5678
business card 85x55 mm
the visa took 6 months
visa application 2024-123456
mastercard stock rose 3.5%
social distancing in 2020
social media has 4200000000 users
security code review 2024
security codes 101 and 102
iban is an acronym
passport fees are 130 dollars
I need to update my password before 5pm
password reset link sent to bob99@acme.io
password change required for user bob42
The password for bob1985 has expired
the password page returns a 500 error
we store passwords with bcrypt cost 12
password entropy is 77 bits
Password Safe 3.5 is out
passwords were leaked for 3000000 users
ask Kim for the password
password? no idea
my password is longer than 20 characters
password is P.O. box related lol
the wifi password is taped under table 12
the token endpoint returns 401
tokens used: 1534
a token costs $3.50
token bucket of size 100
session token lifetime 30m
refresh tokens every 15m
the secret ingredient is 2 cups of love
secret key encryption vs public key encryption
api key is not set
api key must be 32 hex characters
the api key page is down
keynote starts at 9
the answer key is on page 42
house key number 7
keys 1-9 select the tab
press key F12 to open devtools
key takeaways from Q3 2024
key_123 is the test fixture name
see issue #4821 about pin 12
pin the tab 2x
my pin number has 6 digits
PIN pad model X2000
safe code review practices 2024
gate code changes on 2024-01-01
alarm at 0630
door 1234 is locked
card ending in 4242
visa ending 1234
credit score is 780
my account was created 2019-05-06
account number 5 in the list
bank account opened in 2019
SSN last four: 6789
my ssn ends in 6789
phone 415-555-2671
fax: 212-555-0123
id 123456789
UPC 036000291452
lat 40.712776 lon -74.005974
passport book vs passport card
passport valid until 2031
license plate 7ABC123
driver's license class C
tax id season is April
basic plan is 9 dollars
Basic64 encoding
bearer market in 2022
authorization code flow with PKCE
authorization server at port 9000
seed money of 500000
the seed phrase has 12 words
mnemonic: ROYGBIV
login page v2
my login is bob99
login count: 152
credentials expire 2025
let x1 = token2
if token1 == token2:
private key size 2048
the private method key1
session=42
http://localhost:3000/a?b=c@d
https://user@host.com/path
mailto:a@b.c?subject=hi
git@github.com:a/b.git
"""

CODE = """
password = get_password()
password = os.environ["DB_PASSWORD"]
password = os.getenv("PASSWORD")
password: str
password: str | None = None
password: Optional[str] = None
password=password
password = user.password
password = self.password
password = config.password
password = settings.DB_PASSWORD
password = request.form["password"]
password = input("Password: ")
password = getpass.getpass()
password = hash_password(password)
password = new_password
password = None
password = ""
password = ''
const password = process.env.PASSWORD;
let password = req.body.password;
password: process.env.DB_PASS,
this.password = password;
if password == "":
if not password:
def check_password(password: str) -> bool:
password_hash = bcrypt.hash(password)
password_min_length = 8
password_field = driver.find_element("id", "pw")
<input type="password" name="password">
<label for="password">Password</label>
PASSWORD=${PASSWORD}
PASSWORD=$PASSWORD
DB_PASSWORD=$(cat /run/secrets/db)
password: "{{ vault_password }}"
password: {{ .Values.db.password }}
password: !vault |
password: "%(password)s"
spring.datasource.password=${DB_PASS}
token = get_token()
token = request.headers["Authorization"]
token = tokens[0]
token = line.split()[1]
token = next(tokens)
token: str
token: Token
token = await client.fetch_token()
token = jwt.encode(payload, key)
token_count = len(tokens)
tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
for token in tokenizer.tokenize(text):
num_tokens = 128000
const token = localStorage.getItem("token");
Authorization: Bearer ${TOKEN}
Authorization: Bearer <token>
Authorization: Bearer YOUR_API_KEY
headers = {"Authorization": f"Bearer {token}"}
headers["Authorization"] = "Bearer " + token
-H "Authorization: Bearer $TOKEN"
secret = load_secret("db")
secret = secrets.token_hex(32)
secret_name = "prod/db/password"
secretRef: my-app-secret
secretKeyRef:
client_secret = settings.client_secret
client_secret: process.env.CLIENT_SECRET
api_key = os.environ["OPENAI_API_KEY"]
api_key = os.environ.get("API_KEY")
api_key="YOUR_API_KEY"
api_key: <your key>
api_key = "..."
api_key=sk-...
OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
export GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
apiKey: config.apiKey
private_key_path = "~/.ssh/id_ed25519"
access_key_id = event["accessKeyId"]
key = "primary"
key = lambda item: item.score
sorted(items, key=len)
primary_key=True
public_key = key.public_key()
from secrets import token_urlsafe
import getpass
git clone https://github.com/acme/widgets.git
git clone git@github.com:acme/widgets.git
postgres://localhost:5432/db
postgres://user@localhost/db
postgresql://user:password@localhost:5432/db
postgres://user:${DB_PASSWORD}@localhost/db
mysql://user:***@host/db
mongodb://localhost:27017
redis://localhost:6379/0
https://user:<password>@host/path
http://localhost:8080/a@b
http://example.com:80/path?x=a@b.c
https://acme.io/reset?token=
https://acme.io/reset-password?next=/home
ssh root@10.0.0.1 -p 2222
docker run -p 8080:80 nginx
curl -u user: https://acme.io
curl https://acme.io/v1/users -H "Accept: application/json"
SELECT password FROM users WHERE id = 1
ALTER TABLE users ADD COLUMN password_hash text;
class PasswordField(Field):
from django.contrib.auth.hashers import make_password
assert token is not None
raise ValueError("token is required")
print("Enter your password:")
logger.info("password changed for %s", user)
t("login.password.label")
"passwordConfirm": "Confirm your password"
"forgotPassword": "Forgot your password?"
sha256 = hashlib.sha256(data).hexdigest()
const className = "btn-primary-lg";
.password-input { color: #ff00aa; }
aria-label="Toggle password visibility"
import { TokenizerFastBPE } from "tokenizers";
session=requests.Session()
session = sessionmaker(bind=engine)
cookie: theme=dark; lang=en
sig=none
risk-assessment-for-the-quarter-2024-final
task-force-meeting-notes-january-2024-draft
desk-booking-system-integration-2024
sk-learn-compatible-estimator-implementation
the sk_learn_test_suite_runner_2024 module
npm_config_registry_override_for_our_pipeline
re_implementation_of_the_parser_2024
key-value-store-with-replication-2024
pat_the_dog_and_then_go_home_2024
hf_transfer_is_faster_than_the_default_client
"""

NUMBERS = """
ISBN 978-3-16-148410-0
ISBN 9780306406157
call me at +1 (555) 010-9999
call +44 20 7946 0958 tomorrow
phone: 555-867-5309
my number is 030 1234567
tracking number 1Z999AA10123456784
tracking 9400111899223100001234
flight LH 1234 at 16:45
order #4815162342
order number 4012888888881882
invoice 2024-000123-45
case 123-45-6789 is closed
part no. 123-45-6789
SKU 4539-1488-0343-6468
IMEI 490154203237518
version 10.15.7.4321
v2.31.0-rc1
192.168.100.200
10.0.0.1:8080
2001:db8:85a3::8a2e:370:7334
MAC 00:1B:44:11:3A:B7
coordinates 52.520008, 13.404954
pi is 3.14159265358979323846
population 1408280000
$1,234,567.89
1.000.000,00 EUR
2024-06-07T12:34:56.789Z
20240607123456
1717761296
1717761296789
07/06/2024 12:34
score 21-12-2024
4 8 15 16 23 42 108 216 432 864
1234 5678 9012 3456
1111 1111 1111 1111
0000 0000 0000 0000
000-12-3456
666-12-3456
900-12-3456
123-00-4567
123-45-0000
ratio 16:9 at 3840x2160
RGB(255, 128, 0)
#ff8800
color: #1a2b3c4d
AB123456C is a part number
model GB123456A
license plate B-MW 1234
postcode SW1A 1AA
ZIP 94110-1234
DE89 is a prefix
GB29 NWBK 6016 1331 9268 18
DE00 3704 0044 0532 0130 00
room 1234 on floor 12
the pin header has 2040 holes
chapter 12, page 345, line 6789
the year 1999 was 25 years ago
100000000 people
0.4111111111111111
3.141592653589793
1e-10
12345678
123456789
1234567890
room codes 2345-6789
score 1234 5678
5500 rpm at 1200 meters
"""


def drawn(seed: int = SEED) -> list[str]:
    """What machines write: hashes, identifiers, encodings, numbers that fail their checksum."""
    draw = random.Random(f"{seed}/lookalikes")
    out: list[str] = []
    for _ in range(8):
        raw = draw.randbytes(24)
        out += [
            f"commit {hashlib.sha1(raw).hexdigest()}",
            f"fixed in {hashlib.sha1(raw).hexdigest()[:10]}",
            f"sha256:{hashlib.sha256(raw).hexdigest()}",
            f"md5 {hashlib.md5(raw).hexdigest()}",
            f"the file's checksum is {hashlib.sha256(raw).hexdigest()}",
            f"cache key: {hashlib.md5(raw).hexdigest()}",
            f"idempotency key: {uuid(draw)}",
            f"ssh key fingerprint SHA256:{base64.b64encode(hashlib.sha256(raw).digest()).decode().rstrip('=')}",
            f"request id {uuid(draw)}",
            f"{uuid(draw)}",
            f"https://acme.io/items/{uuid(draw)}?page={draw.randint(1, 99)}",
            f'integrity="sha512-{base64.b64encode(hashlib.sha512(raw).digest()).decode()}"',
            base64.b64encode(b"The quick brown fox jumps over the lazy dog near the river.").decode(),
            f"data:image/png;base64,{base64.b64encode(draw.randbytes(60)).decode()}",
            f"/var/log/app-{digits(draw, 8)}/worker-{draw.randint(1, 64)}.log",
            f"trace id {chars(draw, HEX, 32)}",
            f"order {digits(draw, 16)}",
            f"tweet {draw.randint(10**18, 2 * 10**18)}",
            f"timestamp {draw.randint(1600000000000, 1800000000000)}",
            f"https://www.youtube.com/watch?v={chars(draw, string.ascii_letters, 11)}",
            f"docker.io/library/nginx@sha256:{chars(draw, HEX, 64)}",
            f"ami-{chars(draw, HEX, 17)}",
            f"arn:aws:iam::{digits(draw, 12)}:role/deploy",
            f"AROA role id and account {digits(draw, 12)}",
            f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{chars(draw, string.ascii_letters, 43)} me@host",
            f"card-like {_bad_luhn(draw)}",
            f"build {draw.randint(1000, 9999)}.{draw.randint(1, 99)}.{draw.randint(100, 999)}",
            f'ETag: W/"{chars(draw, HEX, 16)}"',
            f"0x{chars(draw, HEX, 40)}",
        ]
    return out


def _bad_luhn(draw: random.Random) -> str:
    body = "4" + digits(draw, 14)
    return body + str((int(luhn_digit(body)) + 1 + draw.randint(0, 8)) % 10)


def lookalikes(seed: int = SEED) -> dict[str, list[str]]:
    """All look-alikes by kind."""
    written = {"talk": TALK, "code": CODE, "numbers": NUMBERS}
    return {
        **{kind: [line for line in text.splitlines() if line.strip()] for kind, text in written.items()},
        "drawn": drawn(seed),
    }
