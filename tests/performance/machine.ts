import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Queryable } from '#services/foundation/queryable'
import { oneRow } from '#services/foundation/rows'
import { median } from './statistics.ts'

const serverRow = z.object({
  version: z.string(),
  buffers: z.string(),
  fsync: z.string(),
  method: z.string(),
})

/**
 * Describes the machine of the measurement. The figure of the disk is the time to flush one page.
 */
export async function describeMachine(
  db: Queryable,
  directory: string,
): Promise<readonly string[]> {
  const server = await oneRow(
    db,
    serverRow,
    `SELECT current_setting('server_version') AS version, current_setting('shared_buffers') AS buffers,
       current_setting('fsync') AS fsync, current_setting('wal_sync_method') AS method`,
  )
  const processors = cpus()
  return [
    `Processor   ${processors.length} × ${processors[0]?.model ?? 'unknown'}, load ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')} at the start`,
    `Memory      ${(totalmem() / 2 ** 30).toFixed(0)} GB`,
    `Disk        ${flushTime(directory).toFixed(2)} ms to write 8 kB and fdatasync it (median of 200)`,
    `PostgreSQL  ${server.version} embedded, shared_buffers ${server.buffers}, fsync ${server.fsync} by ${server.method}`,
    `Node        ${process.version} on ${process.platform} ${process.arch}`,
  ]
}

function flushTime(directory: string): number {
  const path = join(directory, 'flush-time')
  const file = openSync(path, 'w', 0o600)
  const page = Buffer.alloc(8_192, 1)
  const times = Array.from({ length: 200 }, (_, index) => {
    const began = performance.now()
    writeSync(file, page, 0, page.length, index * page.length)
    fdatasyncSync(file)
    return performance.now() - began
  })
  closeSync(file)
  rmSync(path)
  return median(times)
}
