import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReadModel } from '#projections/engine/read-model'
import { purchases } from '#projections/purchases/read-model'
import { receivables } from '#projections/receivables/read-model'
import { createCodec } from '#services/event-store/encryption/codec'
import type { BackupUsage } from '../backup-process.ts'
import { createFreshKeys } from '../log/fresh-keys.ts'
import { writeAppends } from '../log/log-writer.ts'
import { masterKey, writeLog } from '../log/write-log.ts'
import { rebuildOne } from '../rebuild-each.ts'
import { atLeast, perSecond, type Row } from '../report.ts'
import { runMeasured } from '../run-measured.ts'
import type { SealUsage } from '../seal-process.ts'
import type { Usage } from '../send-usage.ts'
import { benchVerify } from '../verify.ts'
import { emptyDatabase, onPool } from './empty-database.ts'
import { simulateReceivables } from './simulate-receivables.ts'

const quiet = () => undefined

/**
 * A log of `open` open invoices, each with a stream: the rebuild of their read model beside that of
 * the purchases of a log with as many events, then verify, seal and backup.
 */
export async function benchReceivablesLog(
  connectionString: string,
  open: number,
): Promise<readonly Row[]> {
  const url = await emptyDatabase(connectionString, 'bench_receivables_log')
  const keys = createFreshKeys(masterKey)
  await writeAppends(url, simulateReceivables(open, createCodec(keys)), keys, Infinity, quiet)
  const events = await countEvents(url)
  const others = await emptyDatabase(connectionString, 'bench_purchases_log')
  await writeLog(others, events, quiet)

  const mine = await foldRate(url, receivables)
  const theirs = await foldRate(others, purchases)
  const verified = await benchVerify(url, events)
  const sealed = await runMeasured<SealUsage>('seal-process', [url])
  const backedUp = await backUp(url)
  return [
    {
      what: `rebuild of receivables, ${events.toLocaleString('en-US')} events`,
      measured: `${perSecond(mine)} folded`,
      against: `purchases, ${perSecond(theirs)} folded`,
      ratio: mine / theirs,
      target: atLeast(mine / theirs, 1),
    },
    ...verified,
    { what: 'events seal', ...described(sealed, events) },
    {
      what: 'backup',
      ...described(backedUp, events),
      details: [`The backup has ${Math.round(backedUp.bytes / 2 ** 20)} MB.`],
    },
  ]
}

async function countEvents(url: string): Promise<number> {
  const { rows } = await onPool(url, (pool) =>
    pool.query<{ count: number }>('SELECT count(*)::int AS count FROM log.event'),
  )
  return rows[0]?.count ?? 0
}

/** Folded events per second: a read model skips the others without reading them whole. */
async function foldRate(url: string, { name, consumers }: ReadModel): Promise<number> {
  const types = consumers.flatMap(({ folds }) => [...folds])
  const { rows } = await onPool(url, (pool) =>
    pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM log.event WHERE type = ANY ($1)',
      [types],
    ),
  )
  const { seconds } = await rebuildOne(url, name)
  return (rows[0]?.count ?? 0) / seconds
}

async function backUp(url: string): Promise<BackupUsage> {
  const directory = await mkdtemp(join(tmpdir(), 'billing-bench-backup-'))
  try {
    return await runMeasured<BackupUsage>('backup-process', [url, join(directory, 'backup.gz')])
  } finally {
    await rm(directory, { recursive: true })
  }
}

function described({ seconds, cpuSeconds, peakBytes }: Usage, events: number) {
  return {
    measured: perSecond(events / seconds),
    against: `${seconds.toFixed(0)} s, ${cpuSeconds.toFixed(0)} s of them in Node; ${Math.round(peakBytes / 2 ** 20)} MB`,
  }
}
