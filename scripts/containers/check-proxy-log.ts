import { read } from './traffic.ts'
import type { Visitor } from '../billing/demo/visitor.ts'
import type { World } from './world.ts'

/**
 * Stops every `api` and sends a request whose query holds an address. @throws if the proxy does not
 * answer 502 with Retry-After, logs nothing, or logs an address
 */
export async function checkProxyLog(world: World, customer: Visitor): Promise<void> {
  await world.compose('stop', 'api')
  const answer = await read(world.url, customer)
  if (answer.status !== 502 || answer.headers.get('retry-after') === null)
    throw new Error(
      `Without an api, the proxy answered ${answer.status}, Retry-After ${answer.headers.get('retry-after')}; expected 502 with Retry-After.`,
    )
  await world.compose('start', 'api')
  const log = await world.compose('logs', '--no-log-prefix', 'proxy')
  const failed = log.split('\n').filter((line) => line.includes('"uri":"/api/payments"'))
  if (failed.length === 0) throw new Error('The log of the proxy lacks the request that failed.')
  const leak = log.split('\n').find((line) => /@|%40|cookie/i.test(line))
  if (leak !== undefined) throw new Error(`The log of the proxy holds personal data: ${leak}`)
}
