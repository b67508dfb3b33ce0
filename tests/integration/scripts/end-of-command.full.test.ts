import { expect, it } from '@jest/globals'
import { runBilling } from '../../support/product/run-billing.ts'

/** As the DNS query that the client of EventStoreDB leaves open. Not in a build before. */
const openHandle = `if(process.argv[1].endsWith('billing.mjs'))setInterval(()=>{},1_000)`

it('a command ends when its output is written, although a library keeps the process open', async () => {
  const settings = {
    // The help reads no data.
    DATA_DIR: '/nonexistent',
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(openHandle)}`,
  }
  const { code, stdout } = await runBilling(settings, 'events', '--help')
  expect(code).toBe(0)
  expect(stdout).toContain('Usage: billing events')
}, 60_000)
