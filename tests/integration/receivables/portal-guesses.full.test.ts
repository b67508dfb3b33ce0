import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { addClientResponse } from '#contracts/receivables/client-requests'
import { clientResponse } from '#contracts/receivables/clients'
import { startAppSide, type AppSide } from '../../support/product/app-side.ts'

/* 10,000 guesses of the link of a portal, sent to the running product from 10,000 networks. */

const guesses = 10_000
/** So many at once: the answer of each waits for 200 ms. */
const together = 50

let side: AppSide
let token: string

beforeAll(async () => {
  side = await startAppSide()
  const merchant = await side.newCustomer()
  await side.buy(merchant)
  const added = await merchant.client.post('/api/receivables/clients', { name: 'Grace Whitaker' })
  const { clientId } = addClientResponse.parse(added.body)
  const { body } = await merchant.client.get(`/api/receivables/clients/${clientId}`)
  token = clientResponse.parse(body).portal?.url.split('/').at(-1) ?? ''
}, 120_000)
afterAll(() => side?.close())

interface Answer {
  readonly status: number
  readonly html: string
}

/** Of a network of its own. Sent again if the process was too busy to read it. */
async function open(guess: string, method = 'GET', path = ''): Promise<Answer> {
  const network = `10.${randomInt(256)}.${randomInt(256)}.${1 + randomInt(254)}`
  const answer = await fetch(`${side.publicUrl}/pay/${guess}${path}`, {
    method,
    headers: { 'x-forwarded-for': network },
    redirect: 'manual',
  })
  const html = await answer.text()
  return answer.status === 503 ? open(guess, method, path) : { status: answer.status, html }
}

/** Tokens that a stranger can make of one that it knows, and of the client's id. */
function guessesOf(known: string): string[] {
  const bytes = Buffer.from(known, 'base64url')
  const id = bytes.subarray(0, 16)
  const of = (...parts: readonly Buffer[]) => Buffer.concat(parts).toString('base64url')
  const flipped = Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const copy = Buffer.from(bytes)
    copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    return of(copy)
  })
  const cut = Array.from({ length: known.length - 1 }, (_, length) => known.slice(0, length + 1))
  const longer = ['A', '=', '.', '%20', '%00', '%2F', '-', known].map((more) => known + more)
  const letters = [known.toUpperCase(), known.toLowerCase()]
  const macs = Array.from({ length: 50 }, (_, generation) =>
    of(
      id,
      createHmac('sha256', Buffer.alloc(32))
        .update(id)
        .update(`${generation}`)
        .digest()
        .subarray(0, 16),
    ),
  )
  const made = [...flipped, ...cut, ...longer, ...letters, ...macs]
  const random = Array.from({ length: guesses - made.length }, (_, index) =>
    index % 2 === 0 ? of(id, randomBytes(16)) : of(randomBytes(32)),
  )
  return [...made, ...random]
}

it('no guess opens a portal or says anything, and the link stays valid', async () => {
  expect((await open(token)).status).toBe(200)
  const end = await side.lastPosition()
  /** The guesses by what they got. */
  const answers = new Map<string, string[]>()
  const all = guessesOf(token)
  for (let from = 0; from < all.length; from += together) {
    const group = all.slice(from, from + together)
    const got = await Promise.all(
      group.map(async (guess) => ({ guess, answer: await open(guess) })),
    )
    for (const { guess, answer } of got) {
      const { status, html } = answer
      const same = answers.get(`${status} ${html}`) ?? []
      answers.set(`${status} ${html}`, same)
      same.push(guess)
    }
  }
  expect(all.length).toBe(guesses)
  const [[answer, same] = ['', []], ...others] = [...answers].sort(
    (one, other) => other[1].length - one[1].length,
  )
  expect(others).toEqual([])
  expect(same).toHaveLength(guesses)
  expect(answer).toMatch(/^404 .*This link leads nowhere/s)
  for (const guess of all.slice(0, 20))
    for (const path of ['opened', 'promise', 'dispute', 'reach', 'unsubscribe', 'statement.pdf'])
      expect((await open(guess, 'POST', `/${path}`)).status).toBe(404)
  expect(await side.lastPosition()).toBe(end)
  expect((await open(token)).status).toBe(200)
}, 900_000)
