import { describe, expect, it } from '@jest/globals'
import { readAddress } from '#contracts/address-rules'
import { domainOf, mailboxOf } from '#services/mail/mailbox'
import { publicMailProviders } from '#services/mail/public-mail-providers'

describe('the mailbox of an address', () => {
  it.each([
    ['dana@firm.example', 'dana@firm.example'],
    ['dana+news@firm.example', 'dana@firm.example'],
    ['dana+a+b@firm.example', 'dana@firm.example'],
    ['+news@firm.example', '+news@firm.example'],
    ['+a+b@firm.example', '+a@firm.example'],
    ['d.a.n.a@firm.example', 'd.a.n.a@firm.example'],
    ['d.a.n.a+x@gmail.com', 'dana@gmail.com'],
    ['dana@googlemail.com', 'dana@gmail.com'],
    ['d.ana@mail.gmail.com', 'd.ana@mail.gmail.com'],
  ])('of %s is %s', (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox)
  })

  it('has the same mailbox again', () => {
    for (const address of ['d.a+b@gmail.com', '+a+b@firm.example', 'a+b@firm.example'])
      expect(mailboxOf(mailboxOf(address))).toBe(mailboxOf(address))
  })
})

it('has the public providers as addresses store their domains', () => {
  for (const domain of publicMailProviders)
    expect(readAddress(`x@${domain}`)).toEqual({ address: `x@${domain}` })
  expect(domainOf('dana@yahoo.co.uk')).toBe('yahoo.co.uk')
})
