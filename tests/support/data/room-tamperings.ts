interface FoundEvent {
  readonly id: string
  readonly stream: string
  readonly data: Readonly<Record<string, unknown>>
}
interface FoundEntry {
  readonly entryId: string
  readonly kind: string
  readonly date: string
  readonly lines: readonly { readonly amount: number }[]
}
export const eventOf = (line: readonly unknown[]) => line[2] as FoundEvent
export const entryOf = (line: readonly unknown[]) => line[1] as FoundEntry

type Lines = (readonly unknown[])[]
type Heads = readonly (readonly [seal: number, revision: number, hash: string])[]
type Tampering = (lines: Lines) => string | RegExp

/** The first line of a kind that fits. */
function find(
  lines: Lines,
  kind: string,
  fits: (line: readonly unknown[]) => boolean = () => true,
) {
  const index = lines.findIndex((line) => line[0] === kind && fits(line))
  const line = lines[index]
  if (line === undefined) throw new Error(`The room has no line '${kind}' for this test.`)
  return { index, line }
}
const isSale = (line: readonly unknown[]) => entryOf(line).kind === 'sale'
const isPayment = (line: readonly unknown[]) =>
  (line[2] as { readonly type: string }).type === 'PaymentSucceeded'

/** Replaces the key of a sampled customer, and drops all readable texts of the room. */
function withKey(lines: Lines, key: unknown): string {
  const { line } = find(lines, 'customer', (one) => one[2] !== null)
  const others = lines.filter(([kind]) => kind !== 'readable')
  const index = others.indexOf(line)
  lines.splice(0, lines.length, ...others.with(index, ['customer', line[1], key]))
  return `The key of the customer ${String(line[1])} is no key of 32 bytes.`
}

/** Each changes the lines of a room. The verifier's sentence must name what it returns. */
export const tamperings: readonly (readonly [string, Tampering])[] = [
  [
    'a stream that was dropped',
    (lines) => {
      const { index } = find(
        lines,
        'stream',
        ([, name]) => String(name).startsWith('email-') || String(name).startsWith('account-'),
      )
      const next = lines.findIndex((line, place) => place > index && line[0] === 'stream')
      lines.splice(index, next - index)
      return /The set of streams of seal 2 is \{"count":\d+,.*\}, and must be \{"count":\d+/
    },
  ],
  [
    'a stream that was added',
    (lines) => {
      const { index, line } = find(lines, 'stream')
      lines.splice(index, 0, ['stream', 'account-0', line[2]])
      return /The set of streams of seal 2 is /
    },
  ],
  [
    'an amount of an event that was changed',
    (lines) => {
      const { index, line } = find(lines, 'event', isPayment)
      const event = eventOf(line)
      const amounts = { ...(event.data['amounts'] as object), paid: 1 }
      lines[index] = ['event', line[1], { ...event, data: { ...event.data, amounts } }]
      return `The hash of event ${event.id} `
    },
  ],
  [
    'two events that were swapped',
    (lines) => {
      const { index, line } = find(lines, 'event', (one) => one[1] !== null)
      const next = lines.findIndex(
        (one, place) =>
          place > index && one[0] === 'event' && eventOf(one).stream === eventOf(line).stream,
      )
      const other = lines[next] ?? []
      lines[index] = other
      lines[next] = line
      return `The place of event ${eventOf(other).id} `
    },
  ],
  [
    'an event that was removed with its entries',
    (lines) => {
      const { index, line } = find(lines, 'event', isPayment)
      const next = lines.findIndex(
        (one, place) => place > index && /event|stream/.test(String(one[0])),
      )
      lines.splice(index, next - index)
      return new RegExp(`(The place of event .*|The last revision) of ${eventOf(line).stream}`)
    },
  ],
  [
    'an amount of the journal that was changed on both sides',
    (lines) => {
      const { index, line } = find(lines, 'entry', isSale)
      const entry = entryOf(line)
      lines[index] = [
        'entry',
        { ...entry, lines: entry.lines.map((each) => ({ ...each, amount: each.amount * 2 })) },
      ]
      return `Entry ${entry.entryId} of billing-`
    },
  ],
  [
    'an entry that was removed',
    (lines) => {
      const { index, line } = find(lines, 'entry', isSale)
      lines.splice(index, 1)
      return new RegExp(`Entry ${entryOf(line).entryId} of billing-.* is missing`)
    },
  ],
  [
    'an entry that was added',
    (lines) => {
      const { index, line } = find(lines, 'entry', isSale)
      lines.splice(index, 0, ['entry', { ...entryOf(line), entryId: 'invented/sale' }])
      return 'Entry invented/sale of billing-'
    },
  ],
  [
    'an entry with another date',
    (lines) => {
      const { index, line } = find(lines, 'entry', isSale)
      lines[index] = ['entry', { ...entryOf(line), date: '2026-12-31' }]
      return new RegExp(`Entry ${entryOf(line).entryId} of billing-.*"date":"2026-12-31"`)
    },
  ],
  [
    'a total that was changed',
    (lines) => {
      const { index, line } = find(lines, 'total', (one) => one[4] === 'gross')
      lines[index] = [...line.slice(0, 5), Number(line[5]) + 100]
      return `The total of ${line.slice(1, 5).join(', ')} is ${Number(line[5]) + 100}, and must be ${String(line[5])}.`
    },
  ],
  [
    'a total that was removed',
    (lines) => {
      const { index, line } = find(lines, 'total')
      lines.splice(index, 1)
      return `The total of ${line.slice(1, 5).join(', ')} is missing, and must be ${String(line[5])}.`
    },
  ],
  [
    'a seal that was changed',
    (lines) => {
      const { index, line } = find(lines, 'seal')
      lines[index] = ['seal', { ...(line[1] as object), events: 1 }]
      return 'Seal 1 of 2027-06-15T10:00:00.000Z is forged: its signature is wrong.'
    },
  ],
  [
    'a seal that was removed',
    (lines) => {
      lines.splice(find(lines, 'seal').index, 1)
      return 'The number of Seal 2 of 2027-06-15T10:00:00.000Z is 2, and must be 1.'
    },
  ],
  [
    'the newest seal that was removed',
    (lines) => {
      lines.splice(find(lines, 'seal').index + 1, 1)
      return / do not rise from seal to seal of the room\./
    },
  ],
  [
    'a sampled customer who was replaced',
    (lines) => {
      const { index, line } = find(lines, 'customer')
      lines[index] = ['customer', 'usr_other', line[2]]
      return /The list of sampled customers is \["usr_other",/
    },
  ],
  [
    'an additional customer',
    (lines) => {
      const { index, line } = find(lines, 'customer')
      lines.splice(index + 25, 0, ['customer', 'usr_26', line[2]])
      return /The list of sampled customers is .*"usr_26"/
    },
  ],
  [
    'readable data that was changed',
    (lines) => {
      const { index, line } = find(lines, 'readable')
      lines[index] = ['readable', line[1], { email: 'forged@example.com' }]
      return `Readable data of event ${String(line[1])} is {"email":"forged@example.com"}`
    },
  ],
  [
    'a key that was withheld',
    (lines) => {
      const { index, line } = find(lines, 'customer', ([, , key]) => key !== null)
      lines[index] = ['customer', line[1], null]
      return `The last event of account-${String(line[1])}, which has no key, is `
    },
  ],
  [
    'a key that is an empty text, so that the texts of its customer are not read',
    (lines) => withKey(lines, ''),
  ],
  [
    'a key that is the number 0, so that the texts of its customer are not read',
    (lines) => withKey(lines, 0),
  ],
  ['a key of 31 bytes', (lines) => withKey(lines, Buffer.alloc(31).toString('base64'))],
  [
    'a head of a later seal at an earlier revision, which no event was compared with',
    (lines) => {
      const { index, line } = find(
        lines,
        'stream',
        ([, name, heads]) => String(name).startsWith('billing-') && (heads as Heads).length > 1,
      )
      const [first, second] = (line[2] as Heads).slice(-2)
      const lowered = [second?.[0], (first?.[1] ?? 0) - 1, second?.[2]]
      lines[index] = ['stream', line[1], [...(line[2] as Heads).slice(0, -1), lowered]]
      return `The sealed heads of ${String(line[1])} do not rise from seal to seal of the room.`
    },
  ],
  [
    'a number of later events that is none',
    (lines) => {
      lines[0] = ['room', { ...(lines[0]?.[1] as object), eventsAfterSeal: -1 }]
      return 'The number of later events, -1, is none.'
    },
  ],
  [
    'books that end after the newest seal',
    (lines) => {
      lines[0] = ['room', { ...(lines[0]?.[1] as object), to: '2027-07' }]
      return 'The books of 2026-03 to 2027-07 are not up to the newest seal.'
    },
  ],
  [
    'a closed month that is not in the log',
    (lines) => {
      const [header = []] = lines
      const given = header[1] as { readonly cuts: readonly unknown[] }
      lines[0] = ['room', { ...given, cuts: given.cuts.slice(1) }]
      return 'The list of closed months is '
    },
  ],
  [
    'a line of another kind',
    (lines) => {
      lines.splice(2, 0, ['key', 'usr_26', 'secret'])
      return "The number of values of 'key' is 2, and must be absent."
    },
  ],
  [
    'sampled customers who come after the streams, without their readable data',
    (lines) => {
      const customers = lines.filter(([kind]) => kind === 'customer')
      const others = lines.filter(
        ([kind, n]) =>
          kind !== 'customer' && kind !== 'readable' && !(kind === 'event' && n === null),
      )
      const total = others.findIndex(([kind]) => kind === 'total')
      lines.splice(0, lines.length, ...others.toSpliced(total, 0, ...customers))
      return "The line 'customer' is at the wrong place."
    },
  ],
  [
    'a second header that claims a larger sample',
    (lines) => {
      const header = lines[0]?.[1] as { readonly sample: number }
      const others = lines.filter(
        ([kind, n]) =>
          kind !== 'customer' && kind !== 'readable' && !(kind === 'event' && n === null),
      )
      const total = others.findIndex(([kind]) => kind === 'total')
      lines.splice(0, lines.length, ...others.toSpliced(total, 0, ['room', header]))
      lines[0] = ['room', { ...header, sample: 0 }]
      return "The line 'room' is at the wrong place."
    },
  ],
  [
    'a sample whose size is a text',
    (lines) => {
      const header = lines[0]?.[1] as { readonly sample: number }
      lines[0] = ['room', { ...header, sample: `${header.sample}\u200b` }]
      return 'The sample size "25?" must be a whole number.'
    },
  ],
  [
    'a sampled customer who is there twice',
    (lines) => {
      const { index, line } = find(lines, 'customer', ([, , key]) => key !== null)
      lines.splice(index, 0, ['customer', line[1], Buffer.alloc(32).toString('base64')])
      return `The customer ${String(line[1])} is there twice.`
    },
  ],
  [
    'a number of an event that is a text',
    (lines) => {
      const { index, line } = find(lines, 'event', (one) => one[1] !== null)
      lines[index] = ['event', String(line[1]), line[2]]
      return `(${(line[2] as { readonly type: string }).type}) at revision`
    },
  ],
  [
    'a number of an event of an account',
    (lines) => {
      const { index, line } = find(lines, 'event', (one) => one[1] === null)
      lines[index] = ['event', 5, line[2]]
      return `The number of event ${eventOf(line).id} `
    },
  ],
  [
    'an event id with control characters, which do not reach the terminal',
    (lines) => {
      const { index, line } = find(lines, 'event', isPayment)
      lines[index] = ['event', line[1], { ...eventOf(line), id: '\u001b[2J\u202eProblems: 0.' }]
      return 'The hash of event ?[2J?Problems: 0. '
    },
  ],
]
