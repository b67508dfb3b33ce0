import { createHash } from 'node:crypto'
import { sealKeysOf, type SealKeys } from '#services/event-store/audit/audit-keys'
import { compareTexts } from '#services/finance/compare-texts'
import { createMerkleTree } from '#services/event-store/audit/merkle-tree'
import { hashOfSeal, leafOf, signSeal, type Seal } from '#services/event-store/audit/seal'

type RoomLine = readonly unknown[]
export type Room = readonly RoomLine[]

/** Three numbers that decide where and how an edit forges. Any values will do. */
export interface Choice {
  readonly place: number
  readonly other: number
  readonly detail: number
}

/** Returns the forged room, or null if the room has no place for this edit. */
export type Edit = (room: Room, choice: Choice) => Room | null

/**
 * What a forger can do to the file of an audit room. The forger knows the rules of the file, and
 * has AUDIT_KEY where an edit says so. A forger with AUDIT_KEY who signs a whole other history is
 * found by the published seals alone, so no edit does that.
 */
export function edits(auditKey: Buffer): Readonly<Record<string, Edit>> {
  const keys = sealKeysOf(auditKey)
  return {
    'drop a line': (room, { place }) => room.toSpliced(body(room, place), 1),
    'drop a stream': (room, { place }) => dropStream(room, place),
    'duplicate a line': (room, { place }) => {
      const index = body(room, place)
      return room.toSpliced(index, 0, room[index] ?? [])
    },
    'move a line': (room, { place, other }) => {
      const index = body(room, place)
      return room.toSpliced(index, 1).toSpliced(body(room, other), 0, room[index] ?? [])
    },
    'change a value': (room, { place, detail }) =>
      changeLine(room, body(room, place), (line) => changeLeaf(line, detail)),
    'remove a member': (room, { place, detail }) =>
      changeLine(room, body(room, place), (line) => removeMember(line, detail)),
    'insert a changed line': (room, { place, other, detail }) => {
      const copy = changeLeaf(room[body(room, other)] ?? [], detail)
      return room.toSpliced(body(room, place), 0, copy as RoomLine)
    },
    'cut the tail': (room, { place }) => {
      const length = 1 + (place % (room.length - 2))
      return [...room.slice(0, room.length - 1 - length), room.at(-1) ?? []]
    },
    'change a key': (room, { place, other, detail }) => changeKey(room, place, other, detail),
    'swap two keys': (room, { place, other }) => swapKeys(room, place, other),
    'change a number of the header': (room, { place, detail }) => changeHeader(room, place, detail),
    'change a date of the header': (room, { place, detail }) => changeDate(room, place, detail),
    'sign again with another key': (room, { detail }) =>
      signAgain(room, sealKeysOf(createHash('sha256').update(String(detail)).digest()), same),
    'lower the head of a stream in a later seal, with AUDIT_KEY': (room, { place, detail }) =>
      lowerHead(room, place, detail, keys),
    'let a later seal cover fewer events, with AUDIT_KEY': (room, { detail }) =>
      signAgain(room, keys, (seal, before) =>
        before === null ? seal : { ...seal, events: detail % before.events },
      ),
  }
}

const same = (seal: Seal) => seal

/** A line that is not the last one, whose number a forger corrects. */
const body = (room: Room, place: number) => place % (room.length - 1)

export function withCorrectEnd(room: Room): Room {
  return [...room.slice(0, -1), ['end', room.length]]
}

export function textOf(room: Room): string {
  return room.map((line) => `${JSON.stringify(line)}\n`).join('')
}

function changeLine(room: Room, index: number, change: (line: RoomLine) => unknown): Room {
  return room.with(index, change(room[index] ?? []) as RoomLine)
}

function indexesOf(room: Room, kind: string): readonly number[] {
  return room.flatMap((line, index) => (line[0] === kind ? [index] : []))
}

function pick<Value>(values: readonly Value[], place: number): Value | null {
  return values.length === 0 ? null : (values[place % values.length] ?? null)
}

function dropStream(room: Room, place: number): Room | null {
  const index = pick(indexesOf(room, 'stream'), place)
  if (index === null) return null
  const length = room.slice(index + 1).findIndex(([kind]) => kind === 'stream' || kind === 'total')
  return room.toSpliced(index, length + 1)
}

type Path = readonly (string | number)[]

/** The places of all values in `value` that are neither array nor object. */
function leaves(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, member]) =>
    leaves(member, [...path, Array.isArray(value) ? Number(name) : name]),
  )
}

function replaceAt(value: unknown, path: Path, change: (value: unknown) => unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) return change(value)
  if (Array.isArray(value))
    return value.map((each: unknown, index) =>
      index === name ? replaceAt(each, rest, change) : each,
    )
  const members = Object.entries(value as object)
  return Object.fromEntries(
    members.map(([key, each]) => [key, key === name ? replaceAt(each, rest, change) : each]),
  )
}

function changeLeaf(line: RoomLine, detail: number): unknown {
  const path = pick(leaves(line), detail)
  return path === null
    ? line
    : replaceAt(line, path, (value) => another(value, Math.floor(detail / 7)))
}

function removeMember(line: RoomLine, detail: number): unknown {
  const objects = leaves(line).flatMap((path) =>
    typeof path.at(-1) === 'string' ? [{ at: path.slice(0, -1), name: path.at(-1) }] : [],
  )
  const member = pick(objects, detail)
  if (member === null) return line
  return replaceAt(line, member.at, (value) =>
    Object.fromEntries(Object.entries(value as object).filter(([name]) => name !== member.name)),
  )
}

/** Another value in the place of a value, of the same type or of another type. */
function another(value: unknown, detail: number): unknown {
  const others = typeof value === 'number' ? numbers(value) : texts(value)
  const changed = others.filter((each) => !Object.is(each, value) && each !== value)
  return pick(changed, detail)
}

const numbers = (value: number) => [
  value + 1,
  value - 1,
  -value,
  value * 10,
  0,
  null,
  '',
  `${value}`,
]

function texts(value: unknown): readonly unknown[] {
  const text = String(value)
  const last = text.charCodeAt(text.length - 1)
  const near =
    text.slice(0, -1) + String.fromCharCode(last === 0x39 || last === 0x7a ? 0x30 : last + 1)
  return [near, '', `${text} `, text.slice(1), text.toUpperCase(), null, 0, true]
}

function changeKey(room: Room, place: number, other: number, detail: number): Room | null {
  const index = pick(indexesOf(room, 'customer'), place)
  if (index === null) return null
  const key = room[index]?.[2]
  const forged = [
    '',
    0,
    null,
    Buffer.alloc(32, other % 256).toString('base64'),
    Buffer.alloc(31).toString('base64'),
    `${String(key)}=`,
    String(key).replace(/=+$/, ''),
  ]
  const customer = String(room[index]?.[1])
  // Customers come before their texts, so the index stays.
  const others = other % 2 === 0 ? room : withoutTexts(room, customer)
  return changeLine(others, index, ([kind, id]) => [kind, id, pick(forged, detail)])
}

function withoutTexts(room: Room, customer: string): Room {
  let owner = ''
  return room.filter(([kind, name]) => {
    if (kind === 'stream') owner = String(name).slice(String(name).indexOf('-') + 1)
    return kind !== 'readable' || owner !== customer
  })
}

function swapKeys(room: Room, place: number, other: number): Room | null {
  const customers = indexesOf(room, 'customer')
  const [one, two] = [pick(customers, place), pick(customers, other)]
  if (one === null || two === null || room[one]?.[2] === room[two]?.[2]) return null
  const keyOf = (index: number) => room[index]?.[2]
  return room
    .with(one, ['customer', room[one]?.[1], keyOf(two)])
    .with(two, ['customer', room[two]?.[1], keyOf(one)])
}

interface Header {
  readonly [name: string]: unknown
}

function changeHeader(room: Room, place: number, detail: number): Room {
  return changeLine(room, 0, ([kind, header]) => {
    const paths = leaves(header).filter((path) => typeof valueAt(header, path) === 'number')
    const path = pick(paths, place)
    if (path === null) return [kind, header]
    return [kind, replaceAt(header, path, (value) => another(value, detail))]
  })
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, name) => (at as Readonly<Record<string | number, unknown>>)[name],
    value,
  )
}

function changeDate(room: Room, place: number, detail: number): Room {
  const zones = ['UTC', 'America/New_York', 'Asia/Tokyo', 'No/Zone', '']
  const months = ['2026-01', '2026-04', '2027-05', '2027-07', '2027-13', '2026-3', '']
  const changes: readonly Header[] = [
    { timeZone: pick(zones, detail) },
    { from: pick(months, detail) },
    { to: pick(months, detail) },
    { through: pick(['2027-06-14', '2027-06-16', '2027-06-30', ''], detail) },
    { computedAt: pick(['2026-01-01T00:00:00.000Z', '2027-06-15', ''], detail) },
  ]
  return changeLine(room, 0, ([kind, header]) => [
    kind,
    { ...(header as Header), ...pick(changes, place) },
  ])
}

/** Signs every seal again, from the first one that `change` changes on. */
function signAgain(
  room: Room,
  keys: SealKeys,
  change: (seal: Seal, before: Seal | null) => Seal,
): Room {
  let before: Seal | null = null
  return room.map((line) => {
    if (line[0] !== 'seal') return line
    const changed = change(line[1] as Seal, before)
    const {
      format: _f,
      version: _v,
      publicKey: _p,
      fingerprint: _i,
      signature: _s,
      ...state
    } = changed
    const previousSeal: string | null = before === null ? null : hashOfSeal(before)
    before = signSeal({ ...state, previousSeal }, keys)
    return ['seal', before]
  })
}

type Heads = readonly (readonly [seal: number, revision: number, hash: string])[]

/** A stream with several sealed heads is shorter in the last one, and the seals fit it. */
function lowerHead(room: Room, place: number, detail: number, keys: SealKeys): Room | null {
  const several = indexesOf(room, 'stream').filter((index) => headsOf(room[index]).length > 1)
  const index = pick(several, place)
  const [before, last] = headsOf(room[index ?? -1]).slice(-2)
  if (index === null || before === undefined || last === undefined) return null
  const lowered = [last[0], detail % (before[1] + 1), last[2]] as const
  const heads = [...headsOf(room[index]).slice(0, -1), lowered]
  const shorter = room.with(index, ['stream', room[index]?.[1], heads])
  return sampledAgain(
    signAgain(shorter, keys, (seal) => ({ ...seal, ...stateOf(shorter, seal.sequence) })),
  )
}

/** The order of the sample follows from the newest seal. The room has every customer in it. */
function sampledAgain(room: Room): Room {
  const seal = room.findLast(([kind]) => kind === 'seal')?.[1] as Seal
  const ticket = ([, userId]: RoomLine) =>
    createHash('sha256')
      .update(`${seal.heads.root}  ${String(userId)}`)
      .digest('hex')
  const customers = room
    .filter(([kind]) => kind === 'customer')
    .toSorted((a, b) => compareTexts(ticket(a), ticket(b)))
  let next = 0
  return room.map((line) => (line[0] === 'customer' ? (customers[next++] ?? line) : line))
}

const headsOf = (line: RoomLine | undefined) => (line?.[2] ?? []) as Heads

/** What a seal must state about the streams of a room. */
function stateOf(room: Room, sequence: number): Pick<Seal, 'events' | 'heads' | 'changed'> {
  const [all, changed] = [createMerkleTree(), createMerkleTree()]
  let events = 0
  for (const line of room) {
    const head =
      line[0] === 'stream' ? headsOf(line).findLast(([seal]) => seal <= sequence) : undefined
    if (head === undefined) continue
    const [seal, revision, hash] = head
    const leaf = leafOf({ stream: String(line[1]), revision, hash })
    all.add(leaf)
    if (seal === sequence) changed.add(leaf)
    events += revision + 1
  }
  return {
    events,
    heads: { count: all.size, root: all.root() },
    changed: { count: changed.size, root: changed.root() },
  }
}
