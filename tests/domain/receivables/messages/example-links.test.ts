import { expect, it } from '@jest/globals'
import { parseClientId } from '#contracts/ids'
import { exampleLinks } from '#services/receivables/messages/example-links'
import { createPortalTokens } from '#services/receivables/portal/portal-tokens'

it('the address of a preview is as long as a real one, so that segments are counted truly', () => {
  const real = createPortalTokens([Buffer.alloc(32, 1)]).tokenOf(
    parseClientId(`client_${'0'.repeat(32)}`),
    0,
  )
  const { portalUrl } = exampleLinks('https://billing.example')
  expect(portalUrl.slice('https://billing.example/pay/'.length)).toHaveLength(real.length)
})
