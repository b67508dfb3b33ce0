import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { auditKey, auditPublicKey, createAuditedLog } from '../product/audited-log-side.ts'
import { edits, textOf, withCorrectEnd, type Choice, type Edit, type Room } from './forger.ts'
import { createRoomVerifier, type RoomVerdict } from './verifier-in-process.ts'

/** A forged room that the verifier accepts, although a figure differs. */
interface Accepted {
  readonly edits: readonly string[]
  readonly choices: readonly Choice[]
  readonly different: readonly string[]
}

export interface Forgeries {
  readonly genuine: RoomVerdict
  readonly forged: number
  readonly refused: number
  /** Accepted rooms that state what the genuine room states. */
  readonly equal: number
  readonly accepted: readonly Accepted[]
}

/** A prime, so that a few pairs begin with different edits. */
const stride = 31

const choice: fc.Arbitrary<Choice> = fc.record({
  place: fc.nat(),
  other: fc.nat(),
  detail: fc.nat(),
})

/**
 * Forges a small room by each edit alone, `singles` times, and by `pairs` pairs of edits, each pair
 * in its turn, and lets the verifier read every forgery.
 */
export async function forgeRooms(singles: number, pairs: number): Promise<Forgeries> {
  const log = await createAuditedLog(10)
  try {
    const written = await log.run(
      '--from',
      '2026-03',
      '--to',
      '2027-06',
      '--out',
      log.at('room.ndjson'),
    )
    if (written.code !== 0) throw new Error(written.stderr)
    const text = await readFile(log.at('room.ndjson'), 'utf8')
    const room = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown[])
    return await verifyForgeries(room, singles, pairs)
  } finally {
    await log.remove()
  }
}

async function verifyForgeries(room: Room, singles: number, pairs: number): Promise<Forgeries> {
  const verify = await createRoomVerifier(auditPublicKey)
  const grammar = Object.entries(edits(auditKey))
  const allPairs = grammar.flatMap((first) => grammar.map((second) => [first, second]))
  const plans = [
    ...grammar.flatMap((edit) => Array.from({ length: singles }, () => [edit])),
    ...Array.from(
      { length: pairs },
      (_, index) => allPairs[(index * stride) % allPairs.length] ?? [],
    ),
  ]
  const choices = fc.sample(fc.tuple(choice, choice), { seed: 32, numRuns: plans.length })
  const figures = figuresOf(room)
  let [forged, refused, equal] = [0, 0, 0]
  const accepted: Accepted[] = []
  for (const [index, plan] of plans.entries()) {
    const chosen = choices[index] ?? []
    const forgery = applyAll(
      room,
      plan.map(([, edit]) => edit),
      chosen,
    )
    if (forgery === null || textOf(forgery) === textOf(room)) continue
    forged += 1
    if ((await verify(textOf(forgery))).code !== 0) {
      refused += 1
      continue
    }
    const different = differences(figures, figuresOf(forgery))
    if (different.length === 0) equal += 1
    else accepted.push({ edits: plan.map(([name]) => name), choices: chosen, different })
  }
  return { genuine: await verify(textOf(room)), forged, refused, equal, accepted }
}

function applyAll(room: Room, plan: readonly Edit[], choices: readonly Choice[]): Room | null {
  let forged: Room | null = room
  for (const [index, edit] of plan.entries()) {
    const one = choices[index]
    if (one !== undefined) forged = forged === null ? null : edit(forged, one)
  }
  return forged === null ? null : withCorrectEnd(forged)
}

/**
 * What a room states, without the order of entries and totals, and without what the verifier says
 * that it did not check: the time of the room, the number of later events, and the place of an
 * event in the log.
 */
function figuresOf(room: Room): readonly string[] {
  return room
    .map(([kind, ...values]) => {
      if (kind === 'room') {
        const { product: _p, computedAt: _at, eventsAfterSeal: _n, ...header } = values[0] as Header
        return JSON.stringify([kind, header])
      }
      return JSON.stringify(kind === 'event' ? [kind, values[1]] : [kind, ...values])
    })
    .toSorted()
}

interface Header {
  readonly product: unknown
  readonly computedAt: unknown
  readonly eventsAfterSeal: unknown
}

function differences(right: readonly string[], found: readonly string[]): readonly string[] {
  const [before, after] = [new Set(right), new Set(found)]
  return [
    ...right.filter((figure) => !after.has(figure)).map((figure) => `- ${figure.slice(0, 300)}`),
    ...found.filter((figure) => !before.has(figure)).map((figure) => `+ ${figure.slice(0, 300)}`),
    ...(right.length === found.length ? [] : [`${found.length} instead of ${right.length} lines`]),
  ]
}
