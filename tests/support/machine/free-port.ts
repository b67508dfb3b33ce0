import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port on 127.0.0.1 that no process uses. It is below the ports that the system assigns (from
 * 32768 on Linux, 49152 elsewhere). So no server of another test and no outgoing connection gets
 * the port before its use or during a restart.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const probe = createServer().listen(port, '127.0.0.1')
    try {
      await once(probe, 'listening')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue
      throw error
    }
    probe.close()
    await once(probe, 'close')
    return port
  }
}
