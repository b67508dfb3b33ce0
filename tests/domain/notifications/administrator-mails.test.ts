import { describe, expect, it } from '@jest/globals'
import type { AdministratorsEvent } from '#contracts/events/administrators'
import { administratorsDecider } from '#services/administrators/administrators-decider'
import type { HandledEvent } from '#services/commands/decision-events'
import type { Mail } from '#services/mail/mailer'
import { administratorMailReactor } from '#services/notifications/administrator-mails'
import { linksAt } from '#services/notifications/links'

const at = '2026-03-03T09:12:00.000Z'
const ada = {
  adminId: 'adm_ada',
  name: 'Ada Lind',
  email: 'ada@agile.example',
  role: 'owner',
} as const
const bo = { adminId: 'adm_bo', name: 'Bo Ek', email: 'bo@agile.example', role: 'support' } as const
const added: readonly AdministratorsEvent[] = [
  { type: 'AdministratorAdded', data: ada },
  { type: 'AdministratorAdded', data: bo },
]

type Actor = HandledEvent<AdministratorsEvent>['metadata']['actor']

function reactor({
  after = [],
  refusing = null,
}: { after?: readonly AdministratorsEvent[]; refusing?: Error | null } = {}) {
  const sent: Mail[] = []
  const state = [...added, ...after].reduce(
    administratorsDecider.evolve,
    administratorsDecider.initialState,
  )
  const made = administratorMailReactor({
    administrators: {
      load: () => Promise.resolve(state),
      labelOf: () => Promise.resolve('Work laptop'),
    },
    mailer: {
      send: (mail) => {
        if (refusing !== null) return Promise.reject(refusing)
        sent.push(mail)
        return Promise.resolve()
      },
    },
    links: linksAt('https://billing.example'),
  })
  const react = (event: AdministratorsEvent, actor: Actor) =>
    made.effect(
      {
        ...event,
        id: 'event-1',
        stream: 'administrators-all',
        revision: 3,
        metadata: {
          actor,
          occurredAt: at,
          recordedAt: at,
          correlationId: 'c',
          causationId: 'c',
          source: 'api',
          schemaVersion: 1,
        },
      } as HandledEvent<AdministratorsEvent>,
      1,
    )
  return { sent, react }
}

const operator = { kind: 'system', id: 'operator' } as const
const byAda = { kind: 'admin', id: 'adm_ada' } as const
const passkey = {
  adminId: 'adm_bo',
  passkeyId: 'p1',
  publicKey: 'k',
  transports: [],
  label: 'Work laptop',
  counter: 0,
}

describe('an administrator is mailed', () => {
  it.each([
    [
      { type: 'AdministratorAdded', data: bo },
      operator,
      'you are an administrator',
      'The operator',
    ],
    [
      {
        type: 'AdministratorRoleChanged',
        data: { adminId: 'adm_bo', from: 'support', to: 'finance' },
      },
      byAda,
      'from Support to Finance',
      'Ada Lind',
    ],
    [
      { type: 'PasskeyAdded', data: passkey },
      { kind: 'admin', id: 'adm_bo' },
      "the passkey 'Work laptop' was added",
      'Bo Ek (you)',
    ],
    [
      { type: 'PasskeyRemoved', data: { adminId: 'adm_bo', passkeyId: 'p1' } },
      byAda,
      "the passkey 'Work laptop' was removed",
      'Ada Lind',
    ],
  ] as const)('of %o, with the person who made the change', async (event, actor, text, author) => {
    const { sent, react } = reactor()
    await react(event as AdministratorsEvent, actor)
    await react(event as AdministratorsEvent, actor)
    expect(sent).toHaveLength(2)
    expect(sent[0]).toMatchObject({ to: 'bo@agile.example', isAutomatic: true })
    expect(sent[0]?.text).toContain(text)
    expect(sent[0]?.text).toContain(author)
    expect(sent[0]?.text).toContain('https://billing.example/admin/dashboard')
    expect(sent[1]?.messageId).toBe(sent[0]?.messageId)
  })

  it('at no address after the end', async () => {
    const { sent, react } = reactor({
      after: [{ type: 'AdministratorEnded', data: { adminId: 'adm_bo' } }],
    })
    await react({ type: 'PasskeyAdded', data: passkey }, byAda)
    expect(sent).toEqual([])
  })

  it('again after a failure of the mail server', async () => {
    const { react } = reactor({ refusing: new Error('the server is away') })
    await expect(react({ type: 'PasskeyAdded', data: passkey }, byAda)).rejects.toThrow('away')
  })
})
