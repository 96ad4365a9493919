"""Secrets as people say them in passing, and sentences that only talk about such things.

All of it was written before looking at the rules, to measure them on words they were not made for. `{…}` stands for a
value made at run time from the seed; no value is in this file. Every other sentence is `held`: when rules were mended
afterwards, only the misses among the others were looked at.

Never: is used to make a rule.
"""

from __future__ import annotations

import random
import string
from collections.abc import Callable

from .families import SEED, Sample

WORDS = (
    "harbor tulip walnut copper river velvet sparrow lantern meadow cobalt ginger pocket marble saddle timber willow "
    "anchor bishop candle dragon ember falcon garnet hazel island jungle kettle lemon magnet nectar orchid pepper"
).split()


def _digits(chance: random.Random, count: int) -> str:
    return "".join(chance.choice(string.digits) for _ in range(count))


def _mixed(chance: random.Random, count: int, extra: str = "") -> str:
    """Letters of both cases and digits, at least one of each."""
    drawn = [chance.choice(string.ascii_letters + string.digits + extra) for _ in range(count - 3)]
    drawn += [chance.choice(string.ascii_lowercase), chance.choice(string.ascii_uppercase), chance.choice("23456789")]
    chance.shuffle(drawn)
    return "".join(drawn)


def _pass(chance: random.Random) -> str:
    """What a person picks: a word, a number, a sign."""
    shape = chance.randrange(4)
    word, other = chance.choice(WORDS), chance.choice(WORDS)
    if shape == 0:
        return f"{word.title()}{_digits(chance, 4)}{chance.choice('!#$*')}"
    if shape == 1:
        return f"{word}{chance.choice('-_.')}{other}{chance.choice('-_.')}{_digits(chance, 2)}"
    if shape == 2:
        return f"{chance.choice('!#$*')}{other}{_digits(chance, 3)}{word.upper()}"
    return word.replace("a", "4").replace("e", "3").replace("o", "0").title() + _digits(chance, 3) + "!"


def _luhn(body: str) -> str:
    total = 0
    for index, digit in enumerate(reversed(body)):
        value = int(digit) * (2 if index % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return body + str(-total % 10)


def _card(chance: random.Random) -> str:
    number = _luhn(f"4{_digits(chance, 14)}")
    return " ".join(number[at : at + 4] for at in range(0, 16, 4))


def _iban(chance: random.Random) -> str:
    account = _digits(chance, 18)
    check = 98 - int(f"{account}131400") % 97
    return f"DE{check:02d}{account}"


def _ssn(chance: random.Random) -> str:
    return f"{chance.randint(101, 665)}-{chance.randint(11, 98)}-{chance.randint(1001, 9988)}"


MAKERS: dict[str, Callable[[random.Random], str]] = {
    "pass": _pass,
    "random": lambda chance: _mixed(chance, 14, "!%&*"),
    "lower": lambda chance: f"{chance.choice(WORDS)}{_digits(chance, 4)}",
    "pin4": lambda chance: f"{chance.randint(1, 9)}{_digits(chance, 3)}",
    "pin6": lambda chance: f"{chance.randint(1, 9)}{_digits(chance, 5)}",
    "pin8": lambda chance: f"{chance.randint(1, 9)}{_digits(chance, 7)}",
    "combo": lambda chance: "-".join(str(chance.randint(10, 59)) for _ in range(3)),
    "token": lambda chance: _mixed(chance, 32),
    "short_token": lambda chance: _mixed(chance, 20),
    "hex": lambda chance: "".join(chance.choice("0123456789abcdef") for _ in range(40)),
    "prefixed": lambda chance: f"{chance.choice(('stg', 'acct', 'pub', 'tok'))}_{_mixed(chance, 28)}",
    "blocks": lambda chance: "-".join(_mixed(chance, 5).upper() for _ in range(5)),
    "backup": lambda chance: f"{_digits(chance, 4)} {_digits(chance, 4)}",
    "phrase": lambda chance: " ".join(chance.sample(WORDS, 12)),
    "pass_phrase": lambda chance: " ".join(chance.sample(WORDS, 4)),
    "card": _card,
    "cvv": lambda chance: _digits(chance, 3),
    "iban": _iban,
    "ssn": _ssn,
    "passport": lambda chance: f"{chance.choice('CFGHJK')}{_digits(chance, 8)}",
    "account": lambda chance: f"{chance.randint(1, 9)}{_digits(chance, 7)}",
}

SPOKEN: tuple[str, ...] = (
    "my wifi password is {pass}",
    "The pin for the alarm is {pin4}, in case you get there before me.",
    "Use token {token} for staging.",
    "You can log into the router with admin / {random}.",
    "hey, the netflix password changed, it's {lower} now",
    "Door code downstairs: {pin4}#",
    "I set the laptop login to {pass} yesterday.",
    "For the record, my bank PIN is {pin4}.",
    "Our shared mailbox has the password {random}, please don't write it on the board.",
    "The API key we got from them is {token}.",
    "if it asks for a passphrase type {pass_phrase}",
    "{pass} is the password for the guest network.",
    "Card number {card}, and the code on the back is 7 something.",
    "My social security number is {ssn}, you need it for the form.",
    "Please pay the deposit from IBAN {iban}.",
    "the safe combination is {combo}",
    "Here is my recovery phrase: {phrase}",
    "the bearer token they gave me was {token}, does that look right?",
    "I keep forgetting it, so: garage code {pin4}.",
    "Backup code for Google: {backup}",
    "The database password on prod is {random}",
    "ssh into the box as deploy, password {pass}",
    "Her passport number is {passport} and it expires in May.",
    "sim pin {pin4}, puk {pin8}",
    "We changed the root password to {pass} after the incident.",
    "Wi-Fi: HarborGuest, key: {lower}",
    "My new password will be {pass}, remind me if I forget.",
    "Can you store this for me? The voicemail pin is {pin4}.",
    "The licence key is {blocks}.",
    "set STRIPE_SECRET to {prefixed} in the env file",
    "The webhook secret: {hex}",
    "they texted me a verification code, {pin6}, what do I do with it?",
    "account {account}, online banking password {pass}",
    "login is maria@example.com and the password's {pass}",
    "My phone unlocks with {pin6}.",
    "Zoom passcode {pin6}, meeting starts at nine.",
    "the key to the vault api is {short_token}",
    "Access token: {token} (expires Friday)",
    "Just type {pass} when the VPN asks for your password.",
    "I used {pass} as the password for the new account.",
    "Our office alarm, dial {pin6} then star to disarm.",
    "remember that the locker combination is {combo} please",
    "password for the pdf = {lower}",
    "Mum's iPad passcode is {pin6}.",
    "the encryption key is {hex} and must never be lost",
    "username sam, pw {pass}",
    "u: sam p: {pass}",
    "creds for the test server are tester:{random}",
    "the client secret they issued is {token}",
    "My ATM code is {pin4}",
    "I wrote down the seed words, they are {phrase}",
    "Spotify family plan, same login as always, pass is {lower}",
    "The gate opens with {pin4} and the side door with the same.",
    "Temporary password {random}, you have to change it on first login.",
    "the master password of my password manager is {pass_phrase}",
    "refresh token {token} stopped working",
    "Could you check whether {token} is still a valid API token?",
    "curl it with the header X-Api-Key set to {short_token}",
    "My debit card is {card}, valid thru 09/29.",
    "the three digits on the back are {cvv}, cvv I mean",
    "so the password, all lower case, is {lower}",
    "Password hint: none. Password: {pass}",
    "the hotel wifi code is {lower}",
    "the code for the key box is {pin4}",
    "my secret key for the exchange is {token}",
    "I have to give them my SSN, {ssn}, over the phone",
    "please note the one-time code {pin6}",
    "log in with user root and password {pass} on port 2222",
    "The new admin password, {random}, goes live tonight.",
    "his login pin is {pin4}",
    "OK so for Jira my API token would be {short_token}",
    "unlock code for the tablet: {pin6}",
    "the keystore was protected with {pass}",
    "passphrase of my ssh key is {pass_phrase}",
    "Use the pre-shared key {random} for the tunnel.",
    "their FTP: host files.example.com user acme pass {random}",
    "the smtp password should be {random}",
    "Redis auth is {short_token}.",
    "I'd rather you kept the PIN, it's {pin4}",
    "app password for gmail: {lower}",
    "the token's {token}",
    "My password? {pass}. Don't tell anyone.",
    "Should be {pass} if nobody changed the password.",
    "Try {pass}, that was the old password.",
    "{token} <- that's the deploy token",
    "the password we agreed on was {pass}",
    "his Apple ID password is {pass}",
    "reset my password to {pass} please",
    "Login: kim. Password: {pass}.",
    "The combination for the bike lock is {pin4}.",
    "for the printer it's PIN {pin4}",
    "the storage unit has the gate code {pin6}",
    "My library card pin is {pin4}.",
    "enter {pin4} as the pin",
    "Signing secret {hex}, from the app settings page.",
    "the recovery key printed on the sheet is {blocks}",
    "service account key = {token}",
    "the personal access token I made for you is {token}",
    "Here are the credentials: user eva, password {random}.",
    "The parental control pin on the TV is {pin4}",
    "I memorised the safe's code, {pin6}",
    "my banking password used to be {pass}",
    "the alarm's panic code is {pin4} and the normal one too",
    "Bitlocker recovery key {blocks}",
    "just fyi the staging db user has password {random}",
    "Kitchen tablet: {pin4} to unlock it",
    "I chose {lower} as my passcode",
    "the passwd for the nas is {pass}",
    "pwd: {random}",
    "To get in, the password is \u201c{pass}\u201d.",
    "wifi pass '{lower}' (all small letters)",
    "The password is {pass} and the username is kim.",
    "I think my password is either {pass} or the old one.",
    "It's {pass}, the password I mean.",
    "Tax portal login: 4411, PIN {pin6}",
    "put Authorization: Token {hex} in the header",
    "the cookie has sessionid={token}",
    "our Slack signing key is {hex}",
    "her driver's licence number is on file, but the passport is {passport}",
    "my account number is {account} and the sort code is 20-45-77",
    "the door to the lab needs {pin6} as a code",
    "MFA secret {short_token}, add it to the authenticator",
    "For Disney+ the profile pin is {pin4}.",
    "Their support gave me a temporary access code: {short_token}",
    "dad's email password is still {lower}, can you believe it",
    "The shared secret is {random}.",
    "license: {blocks}",
    "OTP is {pin6}",
    "The code is {pin6}, it came by SMS just now.",
    "password is literally {lower}",
    "our wifi is called Burrow and you get in with {pass}",
    "the combination's {combo}, left first",
    "Here's my card for the booking: {card}.",
    "The bucket is private, access key {short_token}.",
    "Intercom code {pin4} then press the bell",
    "remote desktop: Administrator with {random}",
    "I always use {pass} as password everywhere, bad I know",
    "The pass code of the conference room tablet is {pin4}.",
    "api_token: {hex}",
    "tell Jo the cabin key safe opens with {pin4}",
    "She gave me her pin, {pin4}, to fetch cash.",
    "the encryption passphrase for the backups is {pass_phrase}",
    "Bank login {account}, secret word {lower}",
    "my crypto wallet's private key is {hex}",
    "security code: {cvv}",
    "mysql -u root -p{random} works from the jump host",
    "The secret for signing JWTs in dev is {lower}.",
    "For the airbnb: building {pin4}, flat door {pin4}, those are the codes.",
    "the lock code for unit 12 is {pin4}",
    "old pin was 0000, new pin is {pin4}",
    "heads up, I rotated the key, the new API key is {prefixed}",
    "grafana admin pw {random}",
    "the vpn wants a pin plus token; my pin is {pin6}",
    "My national insurance and SSN stuff: {ssn}",
    "deploy key passphrase -> {pass}",
    "wifi name is lake house, the password written on the fridge is {lower}",
    "Their sandbox key {prefixed} has no limits.",
)

ONLY_TALK: tuple[str, ...] = (
    "I forgot my wifi password again.",
    "The pin code policy requires six digits.",
    "Token ring networks were slow.",
    "My password manager is Bitwarden.",
    "Passwords must be at least 12 characters long.",
    "The password reset link expired after 30 minutes.",
    "We rotate the API keys every 90 days.",
    "The secret ingredient is cardamom.",
    "Her passport expires in 2031.",
    "The context window holds 128000 tokens.",
    "Error code 0x80070057 came up again.",
    "The zip code is 94110.",
    "My room is 4021 on the fourth floor.",
    "Order number 48213377 has been shipped.",
    "The flight code is BA2490.",
    "It failed with exit code 137.",
    "Key takeaways: ship early, measure, repeat.",
    "The key is under the second flower pot.",
    "She pinned the photo of 1984 on the board.",
    "The tracking number is 1Z999AA10123456784.",
    "ISBN 978-0-306-40615-7 is the one I want.",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 broke the build",
    "The document id is 6f1ed002-ab9a-4f3c-8f53-c4f5b3a1f1aa.",
    "Please change your password as soon as you can.",
    "Which password should I use for the new server?",
    "The password is wrong, it says.",
    "the password is too short, try again",
    "My password is the same everywhere, which is bad.",
    "The pin is broken off the connector.",
    "GPIO pin 17 drives the relay.",
    "Pin 4 is ground and pin 2 is 5 volts.",
    "The access code changes every Monday.",
    "I never share my PIN with anybody.",
    "The token expired at 14:30.",
    "Tokens are refreshed every 3600 seconds.",
    "The code is 300 lines long.",
    "The code was compiled on 2024-11-02.",
    "Area code 0221 is Cologne.",
    "His jersey number was 4711.",
    "The recipe calls for 250 grams of flour and 3 eggs.",
    "The meeting is at 1530 in room 2204.",
    "The invoice 2024-0087 is unpaid.",
    "The combination of garlic and lemon is lovely.",
    "The safe is behind the painting.",
    "The key of the song is F sharp minor.",
    "His secret is that he never hurries.",
    "Use the token from the vault, not your own.",
    "Export STRIPE_SECRET before you start the server.",
    "The API key goes in the X-Api-Key header.",
    "password=$DB_PASSWORD is read from the environment",
    "Set password: <your password here>",
    "pw: ********",
    "the password field is called user_password in the form",
    "def check_password(user, password): return user.hash == digest(password)",
    "token = response.json()['access_token']",
    "const apiKey = process.env.API_KEY;",
    "The account number is printed on the invoice.",
    "Which PIN did you mean, the phone's or the card's?",
    "The code name of the project is Bluebird.",
    "The promo code SUMMER20 gives 20 percent off.",
    "The dress code is business casual.",
    "The country code of Portugal is 351.",
    "The bar code did not scan.",
    "HTTP status code 503 means try again later.",
    "Section 2.4.1 of the building code applies.",
    "The version is 12.4.1808.",
    "Our IP range is 10.0.0.0/16.",
    "The bus 2244 leaves at 1745.",
    "I ran 10432 steps today.",
    "The keyboard has a key for that.",
    "The secret key concept in the paper is dropout.",
    "A private key must never leave the device.",
    "Public key cryptography is from 1976.",
    "The password generator makes 20 characters by default.",
    "We store salted password hashes with 600000 iterations.",
    "Two-factor codes come by SMS within a minute.",
    "The verification code never arrived.",
    "Did you get the one-time code I sent?",
    "The recovery phrase has twelve words.",
    "Write the seed phrase on paper and keep it in the safe.",
    "My card was declined at the station.",
    "The card number field accepts 16 digits.",
    "Model number WH-1000XM5 sounds best.",
    "The serial number is on the back.",
    "My locker is number 118.",
    "The lock on the bike is rusty.",
    "The door code is on the fridge.",
    "Ask Sam for the alarm code.",
    "The alarm is set for 6:30.",
    "Our gate is at B42.",
    "the license is MIT",
    "The licence plate was HH-AB 1234.",
    "His login attempts were blocked 3 times.",
    "The login page loads in 340 ms.",
    "username is required, password is optional",
    "The session lasted 45 minutes.",
    "session 12 of the workshop was about grief",
    "The cookie recipe needs brown sugar.",
    "The webhook fired 17 times.",
    "The signing ceremony is on the 14th.",
    "She got the PIN pad replaced.",
    "A four digit pin has 10000 combinations.",
    "The default pin of that phone is documented in the manual.",
    "What is the maximum length of a password?",
    "Password rules: one capital, one digit, no spaces.",
    "My pass for the museum is valid until 2027.",
    "The mountain pass is closed until May 15.",
    "The test pass rate is 98.7 percent.",
    "All 412 tests pass on 3.11.",
    "The first pass took 20 minutes, the second 12.",
    "pass the salt and 2 lemons",
    "Boarding pass group 3, seat 14C.",
    "The auth flow has 4 steps.",
    "authorization: the manager has to sign",
    "The secretary's extension is 5512.",
    "My bank is ING and the branch is in Porto.",
    "The account was opened in 2016.",
    "The IBAN check digits are computed modulo 97.",
    "Social security is a hot topic.",
    "The credit limit is 5000 euros.",
    "The cvv is the three digits on the back.",
    "The expiry date is 09/29.",
    "Her birthday is 12-04-1987.",
    "My employee number is E20418.",
    "The ticket OPS-4411 is still open.",
    "See RFC 6749 for the token endpoint.",
    "The key-value store has 2 replicas.",
    "primary key (tenant, scope, id)",
    "foreign_key = models.ForeignKey(User)",
    "The hash of an empty string in sha1 is da39a3ee5e6b4b0d3255bfef95601890afd80709.",
    "The digest d41d8cd98f00b204e9800998ecf8427e is of an empty file.",
    "My favourite number is 8675309.",
    "The wifi is called HarborGuest.",
    "The wifi password is on the back of the router.",
    "The password is the name of my first dog, you know which.",
    "The password was changed yesterday by Kim.",
    "That password is compromised, do not use it.",
    "token count: 4096",
    "max_tokens: 8192",
    "The credentials are stored in the keychain.",
    "Please enter your PIN to continue.",
    "The code review took two hours.",
    "QR code on page 12",
    "Morse code for S is three dots.",
    "The pass phrase should be a sentence you can remember.",
    "He unlocked it with his thumb.",
    "Unlock level 30 to get the sword.",
    "The unlock date is June 30.",
    "API key: see 1Password",
    "password: ask Jo",
    "The staging server runs on port 8443.",
    "My pin collection has 214 pieces.",
    "Their access token endpoint is https://auth.example.com/oauth/token",
    "The build id is 20240611.3.",
    "I need a stronger password than my dog's name.",
)

# Written beside the rules, to keep them from reaching too far.
STRAYS: tuple[str, ...] = (
    "password: str = Field(min_length=8, max_length=128)",
    "login to web01.example.com:8443 and restart it",
    "ssh admin@10.0.0.12:22 to reach the bastion",
    "git clone git@github.com:acme/tools2.git",
    "scp root@db02:/var/backups/dump2024.sql .",
    "root / 20GB, home / 200GB",
    "The museum opens with 1200 works on display.",
    "The show opened with 3500 people in the hall.",
    "log in with GitHub or Google",
    "You log in with user2043 as usual.",
    "protected with AES-256-GCM and encrypted with ChaCha20-Poly1305",
    "The file is secured with SHA-512 and WPA3-SAE.",
    "enter 2024 as the year and 12 as the month",
    "press 1000 times to open the door",
    "the access code review is on 2024-11-05",
    "type Foo123Bar into the search box, not the password box",
    "Use Python3.12 with the password module",
    "password hashing with argon2id is slow",
    "The password policy changed to 12 characters in 2023.",
    "The login page moved to app-v2.example.com",
    "wifi 802.11ac network key features",
    "our network uses VLAN20 and VLAN30",
    "The safe combination of drugs is 5 mg and 10 mg.",
    "combination 3-1-2 beats the 4-4-2 formation",
    "a combo of 2-3-1",
    "Room code B12 is on the door",
    "dial 2204 for the front desk, the door is open",
    "call extension 4821 and press star",
    "The door is 2100 mm high and the gate 1800 mm wide.",
    "gate 4821 changed to gate 52",
    "office code of conduct 2024",
    "The building code is 2021 edition",
    "alarm at 0630",
    "lock the screen after 3000 ms",
    "phone code +351",
    "the country code is 351",
    "code 1234 is an example",
    "error code is 5003 for the gate",
    "order 4821 is the code we use for shipping? No, zip code is 94110",
    "Product code is 48213",
    "backup code was refactored in 2024-1101",
    "recovery code path returns 20240611",
    "the verification code path has 4096 lines",
    "sms code coverage is 98",
    "user kim2024 pass the ball",
    "admin dashboard v2.14.3 is out",
    "admin user2 created project Alpha7X",
    "root cause RC-2024 found",
    "root filesystem ext4 on sda12",
    "kim@example.com: meeting at 15:30, room B2204",
    "kim@example.com / +49 170 1234567",
    "contact: jo@example.org/Team42",
    "login: kim / Team Blue 42",
    "VPN: eu-west-1 / node42",
    "ssh config: Host / HostName web42",
    "session id 42 of the workshop",
    "sessionid is stored in a cookie",
    "license: Apache-2.0",
    "serial ABCDE is printed",
    "Product SKU AB12C-34DEF is sold out",
    "security answer: yes",
    "secret word game, level 42",
    "the password manager 1Password8 costs 3 dollars",
    "I use Bitwarden2 as password manager",
    "Use KeePass2 instead of writing the password down",
    "It's 2024 and people still use password123 jokes",
    "Try rebooting router42, then enter your password",
    "with Postgres16 the password column is hashed",
    "changed to branch feature-login-42 for the password work",
    "see issue GH-1234 about the password reset",
    "commit a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f6a7b8c9d0 changed the token code",
    "The image tag myapp-20240611T1200Z uses the new token",
    "build 20240611ABCdef is signed with the release key",
    "getUserByIdFromCacheV2WithRetry returns the token",
    "The UUID 6F1ED002-AB9A-4F3C-8F53-C4F5B3A1F1AA identifies the token row",
    "test_password_reset_42 fails",
    "PASSWORD_MIN_LENGTH=12",
    "password confirmation: must match in step2",
    "The keypad has 12 keys",
    "key box 12 is for keys of building 4",
    "padlocks cost 1299 cents",
    "puk is short for personal unblocking key, 8 digits",
    "passcode length 6",
    "the passcode is 6 digits",
    "My passcode expired in 2023.",
    "pin 4821 on the map marks the cafe",
    "the pin, 2019 edition, sold well",
)


def spoken() -> list[tuple[Sample, bool]]:
    """Every sentence with its values drawn, and whether it is held."""
    chance = random.Random(f"{SEED}-spoken")
    drawn = []
    for number, template in enumerate(SPOKEN):
        for sample in _filled(template, chance, number):
            drawn.append((sample, number % 2 == 1))
    return drawn


def _filled(template: str, chance: random.Random, number: int) -> list[Sample]:
    """One sample for each value of a sentence."""
    text, spans = "", []
    rest = template
    while "{" in rest:
        before, _, after = rest.partition("{")
        name, _, rest = after.partition("}")
        value = MAKERS[name](chance)
        spans.append((len(text) + len(before), value))
        text += before + value
    text += rest
    return [_sample(text, start, value, number) for start, value in spans]


def _sample(text: str, start: int, value: str, number: int) -> Sample:
    assert text[start:].startswith(value)
    return Sample(family=f"spoken_{number}", text=text, value=value, token_shaped=False)
