import { Gauge, type Registry } from 'prom-client'
import type { Measure } from './measure.ts'

/** The accounts of merchants at the payment provider. */
export interface MeasuredAccounts {
  readonly accounts: number
  /** Since the complete comparison of the one that waits longest. 0 without an account. */
  readonly oldestCheckSeconds: number
  readonly openCheckouts: number
}

/** Returns a function that a scrape calls to set the state of merchants' accounts. */
export function accountMetrics(
  registry: Registry,
  accounts: () => Promise<MeasuredAccounts>,
  measure: Measure,
): () => Promise<void> {
  const registers = [registry]
  const gauges = {
    accounts: new Gauge({
      name: 'connected_accounts',
      help: 'Accounts of merchants at the payment provider that the product knows.',
      registers,
    }),
    oldestCheckSeconds: new Gauge({
      name: 'connected_accounts_oldest_check_seconds',
      help: 'Seconds since the last complete comparison of the account that waits longest. 0 without an account.',
      registers,
    }),
    openCheckouts: new Gauge({
      name: 'client_checkouts_open',
      help: 'Checkouts of clients in the portal that may be under way.',
      registers,
    }),
  }
  const read = measure('accounts', accounts)

  return async () => {
    const { value } = await read()
    for (const name of ['accounts', 'oldestCheckSeconds', 'openCheckouts'] as const)
      if (value === undefined) gauges[name].remove()
      else gauges[name].set(value[name])
  }
}
