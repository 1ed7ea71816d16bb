import { hash, verify } from '@node-rs/argon2'
import { z } from 'zod'
import { invalid, overloaded } from '../core/errors.ts'

/**
 * The most common leaked passwords of at least eight characters, in lower case. The list is short on purpose: it blocks
 * the first guesses, and the throttle slows the ones after that.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `00000000 000000000 0123456789 0987654321 11111111 111111111 1111111111 11223344 1122334455 112233445566 12121212
  123123123 123123123123 12341234 1234512345 12345678 123456789 1234567890 12345678910 123456789a 1234567891 12345678a
  123456abc 123456qwerty 1234abcd 1234qwer 123654789 123qweasd 123qweasdzxc 147258369 147852369 159753456 1a2b3c4d
  1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 20202020 22222222 31415926 33333333 44444444 55555555
  55667788 66666666 77777777 87654321 88888888 987654321 9876543210 99999999 a1234567 a12345678 a123456789 a1b2c3d4
  aaaaaaaa aa123456 abababab abc12345 abc123456 abcd1234 abcdefgh abcdefghi access14 adminadmin administrator
  administrator1 alexander alexandra anthony1 asdasdasd asdf1234 asdfasdf asdfghjk asdfghjkl asdfjkl; azertyui
  azertyuiop baseball baseball1 basketball batman123 benjamin blink182 butterfly caroline changeme changeme1 changeme123
  charlie1 chelsea1 chocolate christian christopher computer computer1 corvette danielle december dolphins dragon123
  elephant elizabeth facebook firebird football football1 freedom1 friends1 garfield geheim123 gfhjkm123 goldfish google123
  hallo123 hellohello helloworld hello123 holdfast holdfast1 holdfast123 iloveyou iloveyou1 iloveyou2 iloveyou123
  internet isabella jennifer jonathan jordan23 kimberly letmein1 letmein123 letmeinnow liverpool liverpool1
  login123 lovelove loveyou1 manchester master123 maverick mercedes metallica michael1 michelle midnight monkey123
  motdepasse mustang1 mypassword mynameis newpassword nicholas november nothing1 opensesame p4ssw0rd p@ssw0rd p@ssw0rd1
  p@ssword p@ssword1 pa$$w0rd pa55word parola123 pass1234 pass12345 passpass passphrase passw0rd passw0rd1 passwort
  passwort1 passwort123 password password! password0 password01 password1 password1! password10 password11 password12
  password123 password123! password1234 password12345 password2 password21 password3 password99 passwords patricia
  pokemon1 pokemon123 porsche911 princess princess1 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 qazwsxed qazwsxedc qazxswed qqqqqqqq
  qwaszx12 qwe123qwe qweasdzxc qweqweqwe qwer1234 qwert123 qwert12345 qwerty01 qwerty11 qwerty12 qwerty123 qwerty1234
  qwerty12345 qwerty123456 qwertyui qwertyuiop qwertyuiop1 qwertz123 qwertzui qwertzuiop rainbow1 samantha samsung1
  scorpion security september shadow123 skywalker soccer123 sommer123 spiderman spiderman1 startrek starwars starwars1
  steelers stephanie strawberry summer123 sunshine sunshine1 superman superman1 superstar swordfish test1234 test12345
  testtest testpass testpassword thomas123 tinkerbell trustno1 trustno1! unknown1 veronica victoria volleyball welcome1
  welcome1! welcome12 welcome123 welcome1234 whatever whatever1 willkommen winter123 wordpass wrestling xxxxxxxx
  yankees1 yourpassword zaq12wsx zaq1zaq1 zaqwsxcde zxcvbnm1 zxcvbnm123 zxcvbnmm zzzzzzzz`.split(/\s+/),
)

/**
 * argon2id as in RFC 9106 with 64 MiB, 3 passes and one lane: 70 to 140 ms per hash on two shared cores (November 2026),
 * at least five times the work of OWASP's minimum (19 MiB, 2 passes: 13 ms on the same machine). Each hash contains its
 * parameters, so they can be raised later.
 */
const argon2 = { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 } as const

/** For the whole process: at most 2 × 64 MiB of memory and two of the four threads that Node also uses for files and DNS. */
const hashesAtOnce = 2
const maxWaiting = 32

export const password = z
  .string()
  .min(8)
  .max(1000)
  .describe('Password, at least 8 characters of any kind; 15 or more are better.')

/** Throws `invalid` for passwords that attackers try first. The contract checks the length. */
export function refuseWeakPassword(text: string, email: string, field: 'password' | 'newPassword' = 'password'): void {
  const plain = normalize(text).toLowerCase()
  if (plain === email.toLowerCase()) throw invalid({ [field]: 'must not be the email address' })
  if (commonPasswords.has(plain)) throw invalid({ [field]: 'is one of the most common passwords; choose another' })
}

export const hashPassword = (text: string): Promise<string> => inTurn(() => hash(normalize(text), argon2))

/** Without a hash (no such user) it does the same work, so response times don't reveal which addresses exist. */
export async function verifyPassword(passwordHash: string | undefined, text: string): Promise<boolean> {
  if (passwordHash !== undefined) return inTurn(() => verify(passwordHash, normalize(text)))
  await hashPassword(text)
  return false
}

// Keyboards differ in whether they send composed or decomposed characters.
const normalize = (text: string) => text.normalize('NFKC')

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= maxWaiting) throw overloaded('too many sign-ins at once', 2)
  if (running >= hashesAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    // The slot passes directly to the next in line, so no newcomer can take it first.
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
}
