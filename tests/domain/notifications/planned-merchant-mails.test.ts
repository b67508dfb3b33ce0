import { describe, expect, it } from '@jest/globals'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import {
  dana,
  describeMails,
  erased,
  on,
  open,
  plan,
  unverified,
  type Row,
} from './planned-mails.ts'

const mail = [`ways-to-pay-changed to ${dana}`]

const aboutWaysToPay: readonly Row[] = [
  ['a connected account', on('PaymentAccountCreated'), { before: open }, mail],
  ['an account in use again', on('PaymentAccountReconnected'), { before: open }, mail],
  [
    'an account that the merchant disconnects',
    on('PaymentAccountDisconnected', { why: 'merchant' }),
    { before: open },
    mail,
  ],
  [
    'an access that was removed at the provider',
    on('PaymentAccountDisconnected', { why: 'provider' }),
    { before: open },
    [],
  ],
  [
    'an account of an erased merchant',
    on('PaymentAccountDisconnected', { why: 'erased' }),
    { before: open },
    [],
  ],
  ['another link', on('GatewayLinkChanged'), { before: open }, mail],
  ['a removed link', on('GatewayLinkChanged', { link: null }), { before: open }, mail],
  ['other instructions', on('PayInstructionsChanged'), { before: open }, mail],
  [
    'a link of a merchant who was erased meanwhile',
    on('GatewayLinkChanged', { link: erasedValue }),
    { before: open, after: [erased] },
    ['ways-to-pay-changed not sent: erased'],
  ],
  ['a link of an unverified account', on('GatewayLinkChanged'), { before: unverified }, []],
]

describeMails('how clients pay', aboutWaysToPay)

describe('the mail about another link', () => {
  it('names the site, and not the rest of the link', () => {
    const [planned] = plan(on('GatewayLinkChanged'), { before: open })
    expect(planned).toMatchObject({
      notification: {
        change: { kind: 'link', host: 'pay.alderdental.example' },
        paymentsUrl: 'https://billing.example/receivables/payments',
      },
    })
  })
})
