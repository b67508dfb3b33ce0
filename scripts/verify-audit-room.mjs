/**
 * Checks an audit room, the books of a billing log. One file on purpose: an auditor reads it whole
 * and runs it with Node 20 alone:
 *   node verify-audit-room.mjs <file> --public-key <hex, base64 or file> [--manifest <file>]
 *     [--seed <text>]
 * Get the public key and the manifest, the published seals, from a place that the operator cannot
 * change. `--seed`: your text for the sample. docs/finance.md explains file and rules.
 * Proves: no stream and no event of the books is missing, added or changed since the seals; journal
 * and totals are what these events give; the sample and its readable data follow from the seals.
 * Does not prove: what its last lines state.
 * Exit code: 0 no problem; 1 problems, one sentence each; 2 an unusable file or key.
 */
import { createDecipheriv, createHash, createPublicKey, verify } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createGunzip } from 'node:zlib'
const hashOf = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256'))
const hexOf = (value) => hashOf(canonical(value)).digest('hex')
const sum = (numbers) => numbers.reduce((all, each) => all + each, 0)
/** Canonical JSON by RFC 8785. */
function canonical(value) {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const members = Object.keys(value).sort()
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`
}
/** A Merkle tree by RFC 6962: complete subtrees from left to right. */
function createTree() {
  const peaks = []
  const join = (left, right) => hashOf(Buffer.of(1), left, right).digest()
  function add(leaf) {
    let [hash, leaves] = [hashOf(Buffer.of(0), canonical(leaf)).digest(), 1]
    for (; peaks.at(-1)?.leaves === leaves; leaves *= 2) hash = join(peaks.pop().hash, hash)
    peaks.push({ hash, leaves })
  }
  const top = () => peaks.map(({ hash }) => hash).reduceRight((right, left) => join(left, right))
  const root = () => (peaks.length === 0 ? hashOf().digest() : top()).toString('hex')
  return { add, state: () => ({ count: sum(peaks.map(({ leaves }) => leaves)), root: root() }) }
}

// ---- The books. Days are numbers since 1970-01-01, months are 2026-03. A debit is positive.
const numberOf = (day) => Date.parse(day) / 86_400_000
const textOf = (day) => new Date(day * 86_400_000).toISOString().slice(0, 10)
const monthOf = (day) => textOf(day).slice(0, 7)
const dayAfter = (month) => Date.UTC(+month.slice(0, 4), +month.slice(5)) / 86_400_000
/** `amount` × `part` / `whole`, rounded half away from zero. */
function proportion(amount, part, whole) {
  const [exact, half] = [BigInt(amount) * BigInt(part) * 2n, BigInt(whole)]
  return Number((exact < 0n ? exact - half : exact + half) / (half * 2n))
}
/** Splits a total by weights with the largest remainder; the earlier part first. */
function allocate(total, weights) {
  const all = BigInt(sum(weights))
  const size = all < 0n ? -all : all
  const exact = weights.map((weight) => (BigInt(total) * BigInt(weight) * size) / all)
  const rests = exact.map((each) => ((each % size) + size) % size)
  const parts = exact.map((each, i) => Number((each - rests[i]) / size))
  const order = [...rests.keys()].sort((a, b) => Number(rests[b] - rests[a]) || a - b)
  for (const i of order.slice(0, total - sum(parts))) parts[i] += 1
  return parts
}
/** What a segment recognized by the end of a day, straight-line, counted after the day `after`. */
function recognizedBy({ amount, from, to, after = from - 1 }, day) {
  const part = (at) => proportion(amount, Math.max(0, Math.min(at + 1, to) - from), to - from)
  return day <= after ? 0 : part(day) - part(after)
}
const keyOf = ({ paymentId, currency }) => `${paymentId} ${currency}`
/** A payment that no event records has no tax and no schedule. */
const unsold = { total: 0, tax: 0, bookedOn: 0 }
const none = { ...unsold, returned: 0, returnedTax: 0, credited: 0, creditedTax: 0 }
/** The books of one customer: entries of the next event, to the day `through`. */
function createBooks(dayOf, through) {
  const [payments, invoices, claims] = [new Map(), new Map(), new Map()]
  const paymentOf = (claim) => payments.get(keyOf(claim)) ?? { ...claim, ...none, segments: [] }
  return function book({ id, type, data, metadata }, closed) {
    const entries = []
    const occurredOn = dayOf(metadata.occurredAt)
    const bookedOn = monthOf(occurredOn) <= closed ? dayAfter(closed) : occurredOn
    function enter(kind, { currency, planName }, amounts, part, on = bookedOn, service = '') {
      const accounts = Object.keys(amounts).filter((account) => amounts[account] !== 0)
      const lines = accounts.sort().map((account) => ({ account, amount: amounts[account] }))
      const month = service > monthOf(occurredOn) ? service : monthOf(occurredOn)
      const [date, adjusts] = [textOf(on), month <= closed ? month : null]
      const entryId = part === undefined ? `${id}/${kind}` : `${id}/${kind}/${part}`
      const entry = { entryId, eventId: id, kind, date, currency, planName, adjusts, lines }
      if (lines.length > 0 && bookedOn <= through) entries.push(entry)
    }
    /** One entry per month of service, on its last day or the day of the event. */
    function recognize(payment, parts) {
      const end = Math.min(through, Math.max(...parts.map(({ to }) => to - 1)))
      let day = Math.min(...parts.map(({ from, after = from - 1 }) => after + 1))
      for (let before = 0; day <= end;) {
        const month = monthOf(day)
        const until = Math.min(dayAfter(month) - 1, end)
        const total = sum(parts.map((part) => recognizedBy(part, until)))
        const amounts = { deferred_revenue: total - before, revenue: before - total }
        enter('recognition', payment, amounts, month, Math.max(until, bookedOn), month)
        ;[day, before] = [until + 1, total]
      }
    }
    /** What is due on an invoice whose payment failed: nothing after it is paid or written off. */
    function setDue(due, isOver = invoice.isOver) {
      const change = isOver ? -invoice.due : due - invoice.due
      if (change !== 0 || isOver) invoices.set(invoice.paymentId, invoice)
      Object.assign(invoice, { isOver, due: invoice.due + change })
      enter('unpaid-invoice', invoice, { receivable: change, unpaid_invoices: -change })
    }
    /**
     * Takes up to `amount` from what is not recognized. The rest is spread over the days left. If
     * nothing of the payment is kept after `more` is given back, all is taken.
     */
    function cut(payment, amount, more) {
      const [day, old] = [Math.max(bookedOn, payment.bookedOn), payment.segments]
      const rest = old.map(({ amount, from, to, after }) =>
        recognizedBy({ amount, from, to, after: Math.max(day, after) }, to),
      )
      const isAll = payment.total > 0 && payment.returned + payment.credited + more >= payment.total
      const deferred = isAll ? sum(rest) : Math.max(0, Math.min(amount, sum(rest)))
      if (!isAll && deferred === 0) return { deferred, parts: [] }
      const remaining = sum(rest) - deferred
      const kept = remaining === 0 ? rest.map(() => 0) : allocate(remaining, rest)
      const minus = old.map((s) => ({ ...s, amount: -s.amount, after: Math.max(day, s.after) }))
      const left = minus.map(({ to, after }, i) => ({
        amount: kept[i],
        from: after + 1,
        to,
        after,
      }))
      payment.segments = left.filter((each) => each.amount !== 0)
      return { deferred, parts: [...minus.filter((_, i) => rest[i]), ...payment.segments] }
    }
    /** Gives the money of a claim back, with its tax in proportion. Once given, it undoes that. */
    function give(kind, claim, part) {
      const [payment, { contra, amount, rest }] = [paymentOf(claim), claim]
      const sign = claim.given ? -1 : 1
      const { total, tax: sold, returned, returnedTax, creditedTax } = payment
      const share = total > 0 ? proportion(sold, Math.min(total, returned + amount), total) : 0
      const fair = Math.max(0, Math.min(share, sold - creditedTax) - returnedTax)
      const tax = claim.given?.tax ?? claim.tax ?? fair
      const back = claim.given ?? { tax, ...cut(payment, amount - tax, amount) }
      const debits = { tax_payable: tax, deferred_revenue: back.deferred }
      const lines = { ...debits, [contra]: amount - tax - back.deferred, ...rest }
      for (const account of Object.keys(lines)) lines[account] *= sign
      claim.given = sign > 0 ? back : null
      payment[contra === 'credits' ? 'creditedTax' : 'returnedTax'] += sign * tax
      payment[contra === 'credits' ? 'credited' : 'returned'] += sign * amount
      enter(kind, payment, lines, part)
      if (sign > 0) return back.parts
      const undone = back.parts.map((each) => ({ ...each, amount: -each.amount }))
      payment.segments = [...payment.segments, ...undone]
      return undone
    }
    /** The total without tax over the periods of the lines, in proportion to their amounts. */
    function segmentsOf({ amounts, lines, ...period }) {
      const charged = lines.filter(({ amount }) => amount !== 0)
      const weights = charged.map(({ amount }) => amount)
      const [net, all] = [amounts.total - amounts.tax, sum(weights)]
      const isSplit = charged.length > 0 && (all === net || (all !== 0 && all * net >= 0))
      const shares = !isSplit ? [net] : all === net ? weights : allocate(net, weights)
      const segments = new Map()
      for (const [i, line] of (isSplit ? charged : [period]).entries()) {
        const from = dayOf(line.periodStart)
        const to = Math.max(from + 1, dayOf(line.periodEnd))
        const known = segments.get(`${from} ${to}`)?.amount ?? 0
        segments.set(`${from} ${to}`, { amount: known + shares[i], from, to, after: from - 1 })
      }
      return [...segments.values()].filter(({ amount }) => amount !== 0 || charged.length === 1)
    }
    function sell({ currency, total, tax, paid, fromBalance }) {
      const segments = segmentsOf(data)
      const payment = { ...none, paymentId, planName, currency, total, tax, bookedOn, segments }
      const own = [...claims.values()].filter((claim) => keyOf(claim) === keyOf(payment))
      payment.creditedTax = sum(own.map((c) => (c.contra === 'credits' && c.given?.tax) || 0))
      payment.credited = sum(own.map((c) => (c.contra === 'credits' && c.given ? c.amount : 0)))
      payment.returned = sum(own.map((c) => (c.contra !== 'credits' && c.given ? c.amount : 0)))
      payments.set(keyOf(payment), payment)
      setDue(0, true)
      const sold = { receivable: total, deferred_revenue: tax - total, tax_payable: -tax }
      enter(total < 0 ? 'credit-invoice' : 'sale', payment, sold)
      const outside = sum(data.paidBy.map((way) => (way.kind === 'outside' ? way.amount : 0)))
      const money = { cash: paid - outside, cash_outside: outside }
      const settled = { ...money, customer_balance: fromBalance }
      enter('settlement', payment, { ...settled, receivable: -(paid + fromBalance) })
      const notes = own.filter(({ contra, given }) => contra === 'credits' && !given)
      const cuts = notes.flatMap((note) => give('credit-note', note, note.creditNoteId))
      recognize(payment, [...segments, ...cuts])
    }
    const { paymentId = null, planName = null, refundId, creditNoteId, disputeId } = data
    const moved = data.amount ?? data.total ?? data.due ?? data.fee ?? data.amounts ?? {}
    const { currency, amount } = moved
    const contra = refundId ? 'refunds' : creditNoteId ? 'credits' : 'disputes'
    const name = `${contra} ${refundId ?? creditNoteId ?? disputeId}`
    const fresh = { paymentId, planName, currency, amount, contra, rest: { cash: -amount } }
    const isNew = !claims.has(name) && data.kind !== 'inquiry' // An inquiry moves no money.
    const claim = claims.get(name) ?? fresh
    const invoice = invoices.get(claim.paymentId) ?? { paymentId, planName, currency, due: 0 }
    const settle = (kind) => recognize(paymentOf(claim), give(kind, claim))
    if (type === 'PaymentSucceeded') sell(data.amounts)
    else if (type === 'PaymentFailed') setDue(amount)
    else if (type === 'InvoiceWrittenOff') setDue(0, true)
    else if (type === 'RefundStatusChanged' || (type === 'RefundRecorded' && isNew)) {
      claims.set(name, claim)
      const isReturned = (data.to ?? data.status) === 'succeeded'
      if (isReturned !== Boolean(claim.given)) settle(isReturned ? 'refund' : 'refund-reversal')
    } else if (type === 'CreditNoteIssued' && isNew) {
      const { beforePayment, toBalance, outOfBand } = data
      claim.amount = beforePayment + toBalance + outOfBand
      if (claim.amount === 0) return entries
      claim.rest = {
        receivable: -beforePayment,
        customer_balance: -toBalance,
        cash_outside: -outOfBand,
      }
      claim.tax = proportion(data.tax, claim.amount, claim.amount + data.refunded)
      claims.set(name, Object.assign(claim, { creditNoteId, beforePayment }))
      if (payments.has(keyOf(claim)) || beforePayment === 0) settle('credit-note')
      else setDue(Math.max(0, invoice.due - beforePayment))
    } else if (type === 'CreditNoteVoided' && claims.delete(name)) {
      if (claim.given) settle('credit-note-void')
      else if (invoices.has(claim.paymentId)) setDue(invoice.due + claim.beforePayment)
    } else if (type === 'DisputeOpened' && isNew && claims.set(name, claim)) settle('dispute')
    else if (type === 'DisputeFeeCharged')
      enter('dispute-fee', { currency, planName }, { dispute_fees: amount, cash: -amount })
    else if (type === 'PlatformFeeCharged' || type === 'PlatformFeeReturned') {
      const [kind, sign] = type === 'PlatformFeeCharged' ? ['', 1] : ['-return', -1]
      const amounts = { cash: sign * data.amount, platform_fees: -sign * data.amount }
      enter(`platform-fee${kind}`, { currency: data.currency, planName }, amounts)
    } else if (type === 'DisputeClosed' && claims.delete(name)) {
      if (data.outcome !== 'lost') return settle('dispute-won') ?? entries
      const { tax, deferred: cleared } = claim.given
      const { deferred, parts } = cut(paymentOf(claim), claim.amount - tax - cleared, 0)
      enter('dispute-lost', paymentOf(claim), { deferred_revenue: deferred, disputes: -deferred })
      recognize(paymentOf(claim), parts)
    }
    return entries
  }
}

// ---- The room. Each line is a JSON array: its kind and its values.
const [problems, seals, trees, cuts, sample, heads] = [[], [], [], [], [], createTree()]
const [customers, accounts, expected, totals] = [new Map(), new Set(), new Map(), new Map()]
/** By seal: the events and the streams that it covers and the seal before does not. */
const [added, begun] = [[], []]
let [line, kind, candidates, room, stream, dayOf] = [0, '', 0, null, null, null]
/** A text of the file on one line, without characters that control a terminal. */
const plain = (text) => text.replaceAll(/\p{C}/gu, '?')
const unusable = (text) => process.exit(console.error(plain(text)) ?? 2)
const place = () => (line > 0 ? ` at line ${line}` : '')
process.on('uncaughtException', ({ message }) => unusable(`Unusable${place()}: ${message}`))
const string = { type: 'string' }
const config = { 'public-key': string, manifest: string, seed: { ...string, default: '' } }
const { values: options, positionals } = parseArgs({ allowPositionals: true, options: config })
const given = options['public-key']
if (positionals.length !== 1 || !given)
  unusable(
    'Usage: node verify-audit-room.mjs <file> --public-key <key or file> [--manifest <file>] [--seed <text>]',
  )
const published = options.manifest ? readFileSync(options.manifest, 'utf8').trim().split('\n') : []
const text = existsSync(given) ? readFileSync(given, 'utf8') : given
const bare = /KEY-----([^-]+)-----END/.exec(text)?.[1] ?? text.trim()
const bytes = Buffer.from(bare, /^[0-9a-f]{64}$/i.test(bare) ? 'hex' : 'base64').subarray(-32)
if (bytes.length < 32) unusable(`--public-key ${String(given)} is no file, and no key of 32 bytes.`)
const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }
const [publicKey, publicHex] = [createPublicKey({ key: jwk, format: 'jwk' }), bytes.toString('hex')]
const check = (isRight, text) => isRight || problems.push(plain(`Line ${line}: ${text}`))
function equal(name, found, right) {
  const [is, must] = [canonical(found) ?? 'missing', canonical(right) ?? 'absent']
  check(is === must, `${name} is ${is}, and must be ${must}.`)
}
const compare = (name, found) => equal(name, found, expected.get(name)) ?? expected.delete(name)
const endExpected = () => expected.forEach((_, name) => compare(name))
/** Whether it is Base64 of 32 bytes, in the one spelling that an encoder writes. */
function isKey(text) {
  const bytes = Buffer.from(typeof text === 'string' ? text : '', 'base64')
  return bytes.length === 32 && bytes.toString('base64') === text
}
/** The personal fields of `data` at any depth, by their path. */
function secretsOf(data, path = '') {
  if (typeof data !== 'object' || data === null) return []
  if (typeof data.$personal === 'string') return [[path, data.$personal]]
  const below = path === '' ? '' : `${path}.`
  return Object.entries(data).flatMap(([name, value]) => secretsOf(value, below + name))
}
/** A personal field: AES-256-GCM, bound to the event and the field. */
function decrypt(key, id, [path, ciphertext]) {
  const bytes = Buffer.from(ciphertext.slice('v1:'.length), 'base64')
  const cipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'base64'), bytes.subarray(0, 12))
  cipher.setAAD(Buffer.from(`${id} ${path}`)).setAuthTag(bytes.subarray(-16))
  return [path, JSON.parse(cipher.update(bytes.subarray(12, -16), null, 'utf8') + cipher.final())]
}
const isCount = (value) => Number.isSafeInteger(value) && value >= 0
const isHash = (value) => /^[0-9a-f]{64}$/.test(value)
/** Heads by seal and revision: both rise from each head of a stream to the next one. */
const isAfter = ([seal, revision, hash], [lastSeal, lastRevision]) =>
  isCount(seal) && isCount(revision) && isHash(hash) && seal > lastSeal && revision > lastRevision
const totalName = (...place) => `The total of ${place.join(', ')}`
/** Debits and credits by month, balances, and measures of revenue by month and plan. */
function addTotals({ kind: type, date, currency, planName, lines }) {
  function add(amount, of, measure, at = date < room.from ? 'before' : date.slice(0, 7)) {
    const name = totalName(at, currency, of, measure)
    if (amount !== 0) totals.set(name, (totals.get(name) ?? 0) + amount)
  }
  let net = 0
  for (const { account, amount } of lines) {
    add(Math.abs(amount), account, amount > 0 ? 'debit' : 'credit')
    add(amount, account, 'balance', room.through)
    if (/^(deferred_revenue|revenue|refunds|credits|disputes)$/.test(account)) net -= amount
  }
  add(net, planName, 'net')
  if (type === 'sale') add(net, planName, 'gross')
  else add(-net, planName, `${/^[a-z]*/.exec(type)[0]}s`)
}
/** Every sealed head must be an event. A customer with money in the period can be sampled. */
function endStream() {
  endExpected()
  const { name, owner, next, sealed, compared, type, hasMoney } = stream ?? { next: null }
  if (next !== null) {
    equal(`The last revision of ${name}`, next - 1, sealed.at(-1)[1])
    equal(`The number of sealed heads of ${name} that are events`, compared, sealed.length)
  }
  if (name === `account-${owner}` && customers.has(owner)) {
    if (customers.get(owner) === null)
      equal(`The last event of ${name}, which has no key,`, type, 'PersonalDataErased')
    accounts.add(owner)
  }
  stream = null
  if (!hasMoney || name.startsWith('client-')) return
  candidates += 1
  const ticket = hashOf(`${seals.at(-1).heads.root} ${room.seed} ${owner}`).digest('hex')
  sample.push({ ticket, owner })
  sample.sort((a, b) => (a.ticket < b.ticket ? -1 : 1)).splice(room.sample)
}
/** The seals must have these streams and no other ones. Now all totals are known. */
function endStreams() {
  endStream()
  for (const [name, amount] of totals) expected.set(name, amount)
  const newest = seals.at(-1) ?? unusable('The room has no seal.')
  seals.forEach((seal, i) => {
    equal(`What seal ${i + 1} changed`, trees[i].state(), seal.changed)
    equal(`The number of events of seal ${i + 1}`, sum(added.slice(0, i + 1)), seal.events)
    equal(`The number of streams of seal ${i + 1}`, sum(begun.slice(0, i + 1)), seal.heads.count)
  })
  equal(`The set of streams of seal ${newest.sequence}`, heads.state(), newest.heads)
  for (const seal of published.map((each) => JSON.parse(each)))
    equal(`Seal ${seal.sequence} of the manifest`, seals[seal.sequence - 1], seal)
  const closed = room.cuts.map((each) => ({ ...each, timeZone: room.timeZone }))
  equal('The list of closed months', closed, cuts)
  const sealedOn = dayOf(newest.sealedAt)
  const end = Math.min(dayAfter(room.to) - 1, sealedOn)
  equal('The last day of the books', room.through, textOf(end))
  const isPeriod = room.from <= room.to && room.to <= monthOf(sealedOn)
  check(isPeriod, `The books of ${room.from} to ${room.to} are not up to the newest seal.`)
  const owners = sample.map(({ owner }) => owner)
  equal('The list of sampled customers', [...customers.keys()], owners)
  check(room.sample > 0 || candidates === 0, 'The sample is empty, and must not be.')
  equal('The size of the sample', room.sample, customers.size)
  for (const id of customers.keys())
    check(accounts.has(id), `The account of the sampled customer ${id} is missing.`)
}
const kinds = Object.assign(Object.create(null), {
  room(header) {
    room = header
    equal('The seed of the sample', room.seed, options.seed)
    const isSize = isCount(room.sample)
    check(isSize, `The sample size ${canonical(room.sample)} must be a whole number.`)
    const { eventsAfterSeal: later, from, to, computedAt } = room
    check(isCount(later), `The number of later events, ${canonical(later)}, is none.`)
    const isTime = new Date(Date.parse(computedAt)).toISOString() === computedAt
    const isMonth = (month) => /^\d{4}-(0[1-9]|1[0-2])$/.test(month)
    check(isTime && isMonth(from) && isMonth(to), 'The period or the time of the room is none.')
    const zone = new Intl.DateTimeFormat('sv-SE', { timeZone: room.timeZone })
    dayOf = (at) => numberOf(zone.format(new Date(at)))
  },
  seal(seal) {
    const { signature, ...signed } = seal
    const name = `Seal ${seal.sequence} of ${seal.sealedAt}`
    if (seals.length === 0 && seal.publicKey !== publicHex)
      unusable(`${name} is of the key ${seal.publicKey}, and --public-key is ${publicHex}.`)
    const [bytes, text] = [Buffer.from(signature, 'hex'), Buffer.from(canonical(signed))]
    check(verify(null, text, publicKey, bytes), `${name} is forged: its signature is wrong.`)
    equal(`The number of ${name}`, seal.sequence, seals.length + 1)
    equal(`The seal before ${name}`, seals[0] ? hexOf(seals.at(-1)) : null, seal.previousSeal)
    const isGrowing = isCount(seal.events) && seal.events >= (seals.at(-1)?.events ?? 0)
    check(isGrowing, `${name} covers ${canonical(seal.events)} events, fewer than the seal before.`)
    seals.push(seal)
    trees.push(createTree())
    added.push(0)
    begun.push(0)
  },
  customer(id, key) {
    check(key === null || isKey(key), `The key of the customer ${id} is no key of 32 bytes.`)
    check(!customers.has(id), `The customer ${id} is there twice.`)
    customers.set(id, key)
  },
  stream(name, sealed) {
    check(!(name <= stream?.name), `${name} is not in the order of streams, or is there twice.`)
    endStream()
    const rises = sealed.every((head, i) => isAfter(head, sealed[i - 1] ?? [0, -1]))
    if (!rises || !(sealed.at(-1)?.[0] <= seals.length))
      return check(false, `The sealed heads of ${name} do not rise from seal to seal of the room.`)
    const owner = name.slice(name.indexOf('-') + 1)
    const isMoney = /^(billing|close)-/.test(name)
    const next = isMoney || (name === `account-${owner}` && customers.has(owner)) ? 0 : null
    const book = createBooks(dayOf, numberOf(room.through))
    stream = { name, sealed, owner, isMoney, next, book, compared: 0, hash: null, n: -1 }
    for (const [i, [sequence, revision, hash]] of sealed.entries()) {
      const head = { stream: name, revision, hash }
      trees[sequence - 1].add(head)
      added[sequence - 1] += revision - (sealed[i - 1]?.[1] ?? -1)
      if (i === sealed.length - 1) heads.add(head)
    }
    begun[sealed[0][0] - 1] += 1
  },
  event(n, event) {
    endExpected()
    const { id, type, revision, data, metadata } = event
    if (stream?.next === null && stream.name.startsWith('client-'))
      Object.assign(stream, { isMoney: true, next: 0 })
    const name = `event ${id} (${type}) at revision ${revision} of ${event.stream}`
    equal(`The place of ${name}`, [event.stream, revision], [stream?.name, stream?.next])
    equal(`The hash of ${stream.event ?? 'nothing'}`, stream.hash, metadata.previousHash)
    const hash = hexOf(event)
    const [sequence, last, right] = stream.sealed[stream.compared] ?? []
    if (last === revision) {
      equal(`The hash of ${name}`, hash, right)
      stream.compared += 1
    }
    Object.assign(stream, { next: revision + 1, hash, type, event: name })
    const key = customers.get(stream.owner)
    const fields = key ? secretsOf(data).map((each) => decrypt(key, id, each)) : []
    if (fields.length > 0) expected.set(`Readable data of event ${id}`, Object.fromEntries(fields))
    if (!stream.isMoney) return equal(`The number of ${name}`, n, null)
    const [first, end] = [seals[sequence - 2]?.events ?? 0, seals[sequence - 1]?.events]
    const isSealed = Number.isInteger(n) && n >= first && n < end
    check(isSealed && n > stream.n, `The ${name} is not event ${n} of the log by seal ${sequence}.`)
    stream.n = n
    if (type === 'MonthCutOff') cuts.push({ n, eventId: id, ...data })
    const closed = room.cuts.findLast((cut) => cut.n < n)?.month ?? null
    for (const entry of stream.book(event, closed)) {
      expected.set(`Entry ${entry.entryId} of ${stream.name}`, entry)
      stream.hasMoney ||= entry.date >= room.from
      addTotals(entry)
    }
  },
  readable: (eventId, fields) => compare(`Readable data of event ${eventId}`, fields),
  entry(entry) {
    equal(`The balance of ${entry.entryId}`, sum(entry.lines.map(({ amount }) => amount)), 0)
    compare(`Entry ${entry.entryId} of ${stream?.name}`, entry)
  },
  total: (at, currency, of, what, amount) => compare(totalName(at, currency, of, what), amount),
  end: (lines) => endExpected() ?? equal('The number of lines', line, lines),
})
const phases = ['room', 'seal', 'customer', 'stream', 'total', 'end']
const phaseOf = (name) => phases.indexOf(/^(event|readable|entry)$/.test(name) ? 'stream' : name)
function readLine(text) {
  line += 1
  const [next, ...values] = JSON.parse(text) // Of a member twice, it reads only the last one.
  if (line === 1 && !text.startsWith('["room",{"format":"billing-audit-room","version":1,'))
    unusable('It is no audit room.')
  const isTwice = next === kind && /^(room|end)$/.test(next)
  check(phaseOf(next) >= phaseOf(kind) && !isTwice, `The line '${next}' is at the wrong place.`)
  check(text === JSON.stringify([next, ...values]), 'The line has other spaces or a member twice.')
  if ((next === 'total' || next === 'end') && kind !== 'total') endStreams()
  equal(`The number of values of '${next}'`, values.length, kinds[next]?.length)
  try {
    kinds[next]?.(...values)
  } catch (error) {
    if (line === 1) throw error
    check(false, `The line '${next}' cannot be checked: ${error.message}.`)
  }
  kind = next
}
const file = createReadStream(positionals[0])
const input = positionals[0].endsWith('.gz') ? file.pipe(createGunzip()) : file
let rest = ''
for await (const chunk of input.setEncoding('utf8')) {
  const lines = chunk.split('\n')
  lines[0] = rest + lines[0]
  rest = lines.pop()
  lines.forEach(readLine)
  if (rest.length > 2 ** 24) unusable(`Line ${line + 1} has more than ${2 ** 24} characters.`)
}
if (rest !== '' || kind !== 'end') unusable(`The file was cut off after line ${line}.`)
const books = `Books of ${room.from} to ${room.through} in the zone ${room.timeZone}`
for (const problem of problems.slice(0, 1_000)) console.log(problem)
console.log(plain(`Problems: ${problems.length}. ${books}.`))
const size = `Sample: ${room.sample} of ${candidates} customers`
console.log(plain(`${size}. The newest seal is ${JSON.stringify(seals.at(-1))}.`))
const unchecked = [
  ...(options.manifest ? [] : ['whether the seals are those that were published (--manifest)']),
  'whether the events are true',
  'the order of two streams within a seal',
  'fees in the streams of clients whose events the room does not have',
  'the personal data of customers outside the sample',
  `events after the newest seal, of which the room says that there are ${room.eventsAfterSeal}`,
  `the time of the room, which says ${room.computedAt}`,
]
console.log(plain(`Not checked: ${unchecked.join('; ')}.`))
process.exitCode = problems.length === 0 ? 0 : 1
