import { createSecretKey } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parseUserId } from '#contracts/ids'
import { stopKeyOf } from '#services/event-store/audit/audit-keys'
import {
  contactStopDecider,
  type ContactStopCommand,
} from '#services/receivables/stops/contact-stop-decider'
import { createStopIds } from '#services/receivables/stops/stop-ids'
import { keywordOf } from '#services/receivables/stops/text-keyword'

const at = '2026-11-25T18:12:00.000Z'
const after = (...commands: readonly ContactStopCommand[]) =>
  commands.reduce((state, command) => {
    const decision = contactStopDecider.decide(command, state)
    return decision.kind === 'refused'
      ? state
      : decision.events.reduce(contactStopDecider.evolve, state)
  }, contactStopDecider.initialState)

describe('a stop', () => {
  it('of the portal ends in the portal', () => {
    const stopped = after({ type: 'stop', via: 'portal', at })
    expect(stopped).toEqual({ stoppedVia: 'portal' })
    expect(contactStopDecider.decide({ type: 'resume', via: 'text', at }, stopped)).toEqual({
      kind: 'refused',
      refusal: 'stopped-in-portal',
    })
    expect(
      after({ type: 'stop', via: 'one-click', at }, { type: 'resume', via: 'portal', at }),
    ).toEqual({ stoppedVia: null })
  })

  it.each(['text', 'provider'] as const)('by %s ends with START only', (via) => {
    const stopped = after({ type: 'stop', via, at })
    expect(contactStopDecider.decide({ type: 'resume', via: 'portal', at }, stopped)).toEqual({
      kind: 'refused',
      refusal: 'stopped-by-text',
    })
    expect(after({ type: 'stop', via, at }, { type: 'resume', via: 'text', at })).toEqual({
      stoppedVia: null,
    })
  })

  it('by text is recorded each time, so that a copied webhook is a repeated command', () => {
    const stopped = after({ type: 'stop', via: 'text', at })
    expect(contactStopDecider.decide({ type: 'stop', via: 'text', at }, stopped)).toMatchObject({
      events: [{ type: 'ContactStopped' }],
    })
    expect(
      contactStopDecider.decide(
        { type: 'resume', via: 'text', at },
        contactStopDecider.initialState,
      ),
    ).toMatchObject({ events: [{ type: 'ContactResumed' }] })
    expect(contactStopDecider.decide({ type: 'stop', via: 'provider', at }, stopped)).toEqual({
      kind: 'accepted',
      events: [],
    })
  })

  it('never ends by a way other than the one where it began, whatever is sent', () => {
    const command = fc.oneof(
      fc.record({
        type: fc.constant('stop' as const),
        via: fc.constantFrom('portal' as const, 'one-click' as const),
        at: fc.constant(at),
      }),
      fc.record({
        type: fc.constant('resume' as const),
        via: fc.constant('text' as const),
        at: fc.constant(at),
      }),
    )
    fc.assert(
      fc.property(fc.array(command, { minLength: 1 }), (commands) => {
        const wasStopped = commands.some(({ type }) => type === 'stop')
        expect(after(...commands).stoppedVia !== null).toBe(wasStopped)
      }),
    )
  })
})

describe('the id of a stop', () => {
  const ids = createStopIds(stopKeyOf(Buffer.alloc(32, 1)))
  const alder = parseUserId('usr_alder')

  it('is the same for every spelling of an address or number', () => {
    const mail = ids.ofMerchant('mail', alder, 'Dana@Birchwood.example')
    expect(mail).toMatch(/^[0-9a-f]{64}$/)
    expect(ids.ofMerchant('mail', alder, ' dana@birchwood.EXAMPLE ')).toBe(mail)
    expect(ids.ofPhone('(218) 555-0110')).toBe(ids.ofPhone('+1 218 555 0110'))
  })

  it('differs by merchant, channel, number and key', () => {
    const birch = parseUserId('usr_birch')
    const all = [
      ids.ofPhone('218-555-0110'),
      ids.ofPhone('218-555-0111'),
      ids.ofMerchant('text', alder, '218-555-0110'),
      ids.ofMerchant('text', birch, '218-555-0110'),
      ids.ofMerchant('mail', alder, 'dana@birchwood.example'),
      ids.ofMerchant('mail', birch, 'dana@birchwood.example'),
      createStopIds(createSecretKey(Buffer.alloc(32, 2))).ofPhone('218-555-0110'),
    ]
    expect(new Set(all).size).toBe(all.length)
  })

  it('is none for a text that is neither', () => {
    expect([
      ids.ofPhone('call me'),
      ids.ofMerchant('mail', alder, '[erased]'),
      ids.ofMerchant('text', alder, '[erased]'),
    ]).toEqual([null, null, null])
  })
})

describe('the word of a text', () => {
  const stops =
    'STOP,stop, Stop. ,STOPALL,Stop all,unsubscribe!,CANCEL,End,quit,REVOKE,OPTOUT,opt-out,Opt out,STOP PLEASE,Stop texting me,ＳＴＯＰ'
  it.each(stops.split(','))('%s stops', (text) => expect(keywordOf(text)).toBe('stop'))
  it.each(['START', 'unstop', 'Yes', 'yes.'])('%s resumes', (text) =>
    expect(keywordOf(text)).toBe('start'),
  )
  it.each(['HELP', 'help?', 'info'])('%s asks for help', (text) =>
    expect(keywordOf(text)).toBe('help'),
  )
  const others =
    '|Yes, I will pay|Please start again|I paid on Friday|stopped by to pay|The end|cancel my visit|helpful|🙂'
  it.each(others.split('|'))('%s is none', (text) => expect(keywordOf(text)).toBe('other'))

  it('of any text that begins with the word stop is stop', () => {
    fc.assert(fc.property(fc.string(), (rest) => expect(keywordOf(`Stop ${rest}`)).toBe('stop')))
  })
})
