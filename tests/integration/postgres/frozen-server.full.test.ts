import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { findRunningServer } from '#services/postgres/embedded/find-running-server'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'

it('a start names a server of its data that accepts connections and never answers', async () => {
  const directory = await temporaryDirectory()
  const cluster = join(directory.path, 'cluster')
  await mkdir(cluster)
  // A server is recognized by its working directory.
  const frozen = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { cwd: cluster })
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const lines = [frozen.pid, cluster, 0, port, '', '127.0.0.1', '', 'ready']
  await writeFile(join(cluster, 'postmaster.pid'), lines.join('\n'))
  const logFile = join(directory.path, 'server.log')
  const data = { path: directory.path, cluster, logFile, password: 'x', user: null }

  await expect(findRunningServer(data, 300)).rejects.toThrow(
    `(process ${frozen.pid}) does not answer`,
  )
  frozen.kill()
  listener.close()
  await directory.remove()
})
