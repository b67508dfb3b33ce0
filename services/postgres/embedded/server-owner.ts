import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/**
 * The name of the process that owns a server. The server stores it as `cluster_name`, so that
 * another process can detect an orphan, and no separate file can be outdated.
 */
export async function ownerName(pid = process.pid): Promise<string> {
  return `billing/${pid}/${await startOf(pid)}`
}

export async function ownerIsAlive(name: string): Promise<boolean> {
  const pid = Number(name.split('/')[1])
  return Number.isInteger(pid) && pid > 0 && (await ownerName(pid)) === name
}

/**
 * Start time of a process, unique together with the process id. Empty if the process does not
 * exist.
 */
async function startOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    // The name in parentheses may contain spaces and parentheses.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? '' : (fields[18] ?? '')
  }
  const started = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(
    () => ({ stdout: '' }),
  )
  return started.stdout.trim().replaceAll(/\W+/g, '-')
}
