import { createSecretKey } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parseClientId, parseEnquiryId, parseUserId } from '#contracts/ids'
import {
  createReturnTokens,
  longestToken,
  returnAddress,
  tokenIn,
  type MailOwner,
} from '#services/mail/return-addresses'

const tokens = createReturnTokens(createSecretKey(Buffer.alloc(32, 7)))
const hex = (length: number) =>
  fc.array(fc.constantFrom(...'0123456789abcdef'.split('')), {
    minLength: length,
    maxLength: length,
  })
const owners: fc.Arbitrary<MailOwner> = fc.oneof(
  hex(32).map((id) => ({ kind: 'client' as const, id: parseClientId(`client_${id.join('')}`) })),
  hex(24).map((id) => ({ kind: 'user' as const, id: parseUserId(`usr_${id.join('')}`) })),
  hex(24).map((id) => ({ kind: 'enquiry' as const, id: parseEnquiryId(`enquiry_${id.join('')}`) })),
)
const bounceAddress = 'bounce@mail.example.com'
const client: MailOwner = { kind: 'client', id: parseClientId(`client_${'0a'.repeat(16)}`) }

function tokenOf(owner: MailOwner, messageId: string): string {
  const token = tokens.tokenOf(owner, messageId)
  if (token === null) throw new Error('The owner has no token.')
  return token
}

describe('a return address', () => {
  it('names its owner and its mail, in any case of the letters', () => {
    fc.assert(
      fc.property(owners, fc.string(), fc.boolean(), (owner, messageId, isUpper) => {
        const address = returnAddress(bounceAddress, tokenOf(owner, messageId))
        const token = tokenIn(bounceAddress, isUpper ? address.toUpperCase() : address) ?? ''
        expect(tokens.ownerIn(token)).toEqual(owner)
        expect(tokens.isOf(token, owner, messageId)).toBe(true)
        expect(tokens.isOf(token, owner, `${messageId} `)).toBe(false)
      }),
    )
  })

  it('is not of a mail with one changed sign, nor of another owner or key', () => {
    const token = tokenOf(client, 'message_1')
    const changed = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`
    expect(tokens.isOf(changed, client, 'message_1')).toBe(false)
    const other: MailOwner = { kind: 'client', id: parseClientId(`client_${'0b'.repeat(16)}`) }
    expect(tokens.isOf(token, other, 'message_1')).toBe(false)
    const others = createReturnTokens(createSecretKey(Buffer.alloc(32, 8)))
    expect(others.isOf(token, client, 'message_1')).toBe(false)
  })

  it('has a token of at most the length that the setting leaves room for', () => {
    const widest: MailOwner = { kind: 'client', id: parseClientId(`client_${'f'.repeat(32)}`) }
    expect(tokenOf(widest, 'x')).toHaveLength(longestToken)
    expect(tokenOf(widest, 'x')).toMatch(/^[0-9a-z]+$/)
  })

  it('has no token without an owner with a random id', () => {
    expect(tokens.tokenOf({ kind: 'user', id: parseUserId('usr_1') }, 'x')).toBeNull()
    expect(returnAddress(bounceAddress, null)).toBe(bounceAddress)
  })

  it.each(['', 'c', 'x'.repeat(45), `c${'z'.repeat(44)}`, 'e'.repeat(39), `u${'-'.repeat(38)}`])(
    'is read without an error: %j',
    (token) => {
      const owner = tokens.ownerIn(token)
      expect(owner === null || !tokens.isOf(token, owner, 'x')).toBe(true)
    },
  )

  it('is not another address', () => {
    const others = ['bounce@mail.example.com', 'bounce+a@example.com', 'abounce+a@mail.example.com']
    for (const address of [...others, 'bounce+a b@mail.example.com', '+@', ''])
      expect(tokenIn(bounceAddress, address)).toBeNull()
  })
})
