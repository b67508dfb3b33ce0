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
      return `The total of ${line.slice(1, 5).join(', ')}, before this line, is missing`
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
      return 'The number of events of seal 1 is '
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
]
