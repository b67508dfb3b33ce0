import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { adminRoles, type AdminRole } from '#contracts/admin/roles'
import type { AdministratorsEvent } from '#contracts/events/administrators'
import {
  administratorsDecider,
  maxPasskeys,
  type AdministratorsCommand,
  type Author,
} from '#services/administrators/administrators-decider'
import { activeAdministrators } from '#services/administrators/administrators-state'
import { given } from '../support/data/given.ts'

const at = '2026-03-03T09:12:00.000Z'
const operator: Author = { kind: 'operator' }
const by = (adminId: string): Author => ({ kind: 'administrator', adminId })

const personOf = (adminId: string) => ({
  adminId,
  name: `Name of ${adminId}`,
  email: `${adminId}@example.com`,
})
const added = (adminId: string, role: AdminRole = 'owner'): AdministratorsEvent => ({
  type: 'AdministratorAdded',
  data: { ...personOf(adminId), role },
})
const add = (adminId: string, role: AdminRole, author: Author = operator) =>
  ({ type: 'add-administrator', person: { ...personOf(adminId), role }, by: author, at }) as const
const end = (adminId: string, author: Author = operator) =>
  ({ type: 'end-administrator', adminId, by: author, at }) as const
const changeRole = (adminId: string, to: AdminRole, author: Author = operator) =>
  ({ type: 'change-role', adminId, to, by: author, at }) as const
const passkey = (passkeyId: string) => ({
  passkeyId,
  publicKey: 'key',
  transports: ['internal'],
  label: 'Laptop',
  counter: 0,
})
const addPasskey = (adminId: string, passkeyId: string, author: Author = by(adminId)) =>
  ({ type: 'add-passkey', adminId, passkey: passkey(passkeyId), by: author, at }) as const
const hasPasskey = (adminId: string, passkeyId: string): AdministratorsEvent => ({
  type: 'PasskeyAdded',
  data: { adminId, ...passkey(passkeyId), transports: ['internal'] },
})
const ended = (adminId: string): AdministratorsEvent => ({
  type: 'AdministratorEnded',
  data: { adminId },
})

describe('the first administrator', () => {
  it('is an owner', () => {
    expect(given(administratorsDecider).when(add('ada', 'owner'))).toEqual([added('ada')])
    expect(given(administratorsDecider).when(add('ada', 'reader'))).toEqual({
      refused: 'first-is-owner',
    })
  })

  it('is added by the operator: the shared password names no person', () => {
    expect(given(administratorsDecider).when(add('ada', 'owner', by('adm_shared')))).toEqual({
      refused: 'none-named',
    })
    expect(
      given(administratorsDecider, added('ada')).when(add('bo', 'owner', by('adm_shared'))),
    ).toEqual({ refused: 'not-allowed' })
  })
})

describe('an owner', () => {
  const two = given(administratorsDecider, added('ada'), added('bo'), added('cy', 'reader'))

  it('adds, renames, changes roles and ends', () => {
    expect(two.when(add('di', 'finance', by('ada')))).toEqual([added('di', 'finance')])
    expect(two.when(end('bo', by('ada')))).toEqual([ended('bo')])
    expect(two.when(changeRole('cy', 'support', by('ada')))).toEqual([
      { type: 'AdministratorRoleChanged', data: { adminId: 'cy', from: 'reader', to: 'support' } },
    ])
    const person = { adminId: 'cy', name: 'Cy', email: 'cy@new.example' }
    expect(two.when({ type: 'rename-administrator', person, by: by('ada'), at })).toEqual([
      { type: 'AdministratorRenamed', data: person },
    ])
  })

  it('whom another owner has ended meanwhile ends nobody', () => {
    const after = given(administratorsDecider, added('ada'), added('bo'), ended('bo'))
    expect(after.when(end('ada', by('bo')))).toEqual({ refused: 'not-allowed' })
  })

  it('who is the last one is not ended and keeps the role', () => {
    const last = given(administratorsDecider, added('ada'), added('cy', 'reader'))
    for (const author of [operator, by('ada')]) {
      expect(last.when(end('ada', author))).toEqual({ refused: 'last-owner' })
      expect(last.when(changeRole('ada', 'reader', author))).toEqual({ refused: 'last-owner' })
    }
  })
})

describe('every other role', () => {
  it.each(adminRoles.filter((role) => role !== 'owner'))('%s manages nobody', (role) => {
    const stream = given(administratorsDecider, added('ada'), added('cy', role))
    for (const command of [
      add('di', 'owner', by('cy')),
      end('ada', by('cy')),
      changeRole('cy', 'owner', by('cy')),
    ])
      expect(stream.when(command)).toEqual({ refused: 'not-allowed' })
  })
})

describe('an e-mail address', () => {
  it('belongs to one administrator, until the person is ended', () => {
    const person = { ...personOf('ada'), adminId: 'bo', role: 'owner' as const }
    const command = { type: 'add-administrator', person, by: operator, at } as const
    const known = [added('ada'), added('cy')]
    expect(given(administratorsDecider, ...known).when(command)).toEqual({ refused: 'email-taken' })
    expect(given(administratorsDecider, ...known, ended('ada')).when(command)).toEqual([
      { type: 'AdministratorAdded', data: person },
    ])
  })
})

describe('a passkey', () => {
  it('is added by its person alone, and removed by the person or an owner', () => {
    const stream = given(administratorsDecider, added('ada'), added('cy', 'reader'))
    expect(stream.when(addPasskey('cy', 'key-1'))).toEqual([hasPasskey('cy', 'key-1')])
    for (const author of [operator, by('ada')])
      expect(stream.when(addPasskey('cy', 'key-1', author))).toEqual({ refused: 'not-allowed' })
    const with1 = given(
      administratorsDecider,
      added('ada'),
      added('cy', 'reader'),
      hasPasskey('cy', 'key-1'),
    )
    const remove = (author: Author) =>
      ({ type: 'remove-passkey', adminId: 'cy', passkeyId: 'key-1', by: author, at }) as const
    for (const author of [operator, by('ada'), by('cy')])
      expect(with1.when(remove(author))).toEqual([
        { type: 'PasskeyRemoved', data: { adminId: 'cy', passkeyId: 'key-1' } },
      ])
  })

  it('is renamed by its person alone', () => {
    const stream = given(
      administratorsDecider,
      added('ada'),
      added('cy', 'reader'),
      hasPasskey('cy', 'key-1'),
    )
    const rename = (adminId: string, passkeyId: string, author: Author, label = 'Desk') =>
      ({ type: 'rename-passkey', adminId, passkeyId, label, by: author, at }) as const
    expect(stream.when(rename('cy', 'key-1', by('cy')))).toEqual([
      { type: 'PasskeyRenamed', data: { adminId: 'cy', passkeyId: 'key-1', label: 'Desk' } },
    ])
    expect(stream.when(rename('cy', 'key-1', by('cy'), 'Laptop'))).toEqual([])
    for (const author of [operator, by('ada')])
      expect(stream.when(rename('cy', 'key-1', author))).toEqual({ refused: 'not-allowed' })
    for (const [who, key] of [
      ['cy', 'key-2'],
      ['ada', 'key-1'],
    ] as const)
      expect(stream.when(rename(who, key, by(who)))).toEqual({ refused: 'unknown-passkey' })
  })

  it('is removed with all others of the person by an owner, the operator or the person', () => {
    const stream = given(
      administratorsDecider,
      added('ada'),
      added('bo', 'support'),
      added('cy', 'reader'),
      hasPasskey('cy', 'key-1'),
      hasPasskey('cy', 'key-2'),
    )
    const remove = (adminId: string, author: Author) =>
      ({ type: 'remove-passkeys', adminId, by: author, at }) as const
    for (const author of [operator, by('ada'), by('cy')])
      expect(stream.when(remove('cy', author))).toEqual(
        ['key-1', 'key-2'].map((passkeyId) => ({
          type: 'PasskeyRemoved',
          data: { adminId: 'cy', passkeyId },
        })),
      )
    expect(stream.when(remove('cy', by('bo')))).toEqual({ refused: 'not-allowed' })
    expect(stream.when(remove('ada', by('ada')))).toEqual([])
    expect(stream.when(remove('dee', operator))).toEqual({ refused: 'unknown-administrator' })
  })

  it('signs in one person, and a person has not more than ten', () => {
    const stream = given(
      administratorsDecider,
      added('ada'),
      added('cy', 'reader'),
      ...Array.from({ length: maxPasskeys }, (_, index) => hasPasskey('cy', `key-${index}`)),
    )
    expect(stream.when(addPasskey('ada', 'key-1'))).toEqual({ refused: 'passkey-known' })
    expect(stream.when(addPasskey('cy', 'key-1'))).toEqual([])
    expect(stream.when(addPasskey('cy', 'key-99'))).toEqual({ refused: 'too-many-passkeys' })
  })

  it('ends with its person', () => {
    const stream = given(
      administratorsDecider,
      added('ada'),
      added('cy', 'reader'),
      hasPasskey('cy', 'key-1'),
      ended('cy'),
    )
    expect(stream.state.administrators.get('cy')).toMatchObject({ isEnded: true, passkeys: [] })
    expect(stream.when(addPasskey('cy', 'key-2'))).toEqual({ refused: 'unknown-administrator' })
  })
})

it('a stream that begins with another event is a damaged log', () => {
  expect(() => given(administratorsDecider, ended('ada')).state).toThrow('The log is damaged')
})

describe('after any sequence of commands', () => {
  const someone = fc.constantFrom('ada', 'bo', 'cy')
  const author = fc.oneof(fc.constant(operator), fc.constant(by('adm_shared')), someone.map(by))
  const command: fc.Arbitrary<AdministratorsCommand> = fc
    .tuple(someone, author, fc.constantFrom(...adminRoles), fc.constantFrom('a', 'b'), fc.nat(7))
    .map(([who, whose, role, key, what]) => {
      const commands = [
        add(who, role, whose),
        end(who, whose),
        changeRole(who, role, whose),
        addPasskey(who, key, whose),
        { type: 'remove-passkey', adminId: who, passkeyId: key, by: whose, at } as const,
        { type: 'remove-passkeys', adminId: who, by: whose, at } as const,
        {
          type: 'rename-passkey',
          adminId: who,
          passkeyId: key,
          label: 'New',
          by: whose,
          at,
        } as const,
        {
          type: 'rename-administrator',
          person: { adminId: who, name: 'New', email: `${key}@example.com` },
          by: whose,
          at,
        } as const,
      ]
      return commands[what] ?? add(who, role, whose)
    })

  it('somebody is owner, addresses and passkeys are of one person, and only owners decided', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
        let state = administratorsDecider.initialState
        for (const each of commands) {
          const before = state
          const decision = administratorsDecider.decide(each, state)
          if (decision.kind === 'refused') continue
          state = decision.events.reduce(administratorsDecider.evolve, state)
          const active = activeAdministrators(state)
          if (state.administrators.size > 0)
            expect(active.filter(({ role }) => role === 'owner').length).toBeGreaterThan(0)
          const emails = active.map(({ email }) => email)
          expect(new Set(emails).size).toBe(emails.length)
          const keys = active.flatMap(({ passkeys }) => passkeys.map(({ passkeyId }) => passkeyId))
          expect(new Set(keys).size).toBe(keys.length)
          const isAboutPasskey = each.type.includes('passkey')
          if (each.by.kind === 'administrator' && !isAboutPasskey)
            expect(before.administrators.get(each.by.adminId)).toMatchObject({
              role: 'owner',
              isEnded: false,
            })
        }
      }),
    )
  })
})
