import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from '@jest/globals'

// A process of its own: the warnings of Node do not reach a test.
const script = `
  import { withStopSignal } from './scripts/billing/with-stop-signal.ts'
  await withStopSignal(async (signal) => {
    const requests = Array.from({ length: 1600 }, () => new Request('http://127.0.0.1', { signal }))
    console.log(requests.length)
  }, 'Stopped.')`

it('lets a long command call the product thousands of times without a warning of Node', async () => {
  const run = promisify(execFile)(process.execPath, [
    '--import',
    'tsx',
    '--input-type=module',
    '--eval',
    script,
  ])
  expect(await run).toEqual({ stdout: '1600\n', stderr: '' })
})
