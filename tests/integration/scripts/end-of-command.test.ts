import { expect, it } from '@jest/globals'
import { runBilling } from '../../support/product/run-billing.ts'

/** As the DNS query that the client of EventStoreDB leaves open. */
const openHandle = '--import data:text/javascript,setInterval(()=>{},1_000)'

it('a command ends when its output is written, although a library keeps the process open', async () => {
  // The help reads no data.
  const settings = { DATA_DIR: '/nonexistent', NODE_OPTIONS: openHandle }
  const { code, stdout } = await runBilling(settings, 'events', '--help')
  expect(code).toBe(0)
  expect(stdout).toContain('Usage: billing events')
}, 30_000)
