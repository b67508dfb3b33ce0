import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/**
 * Names the process that started a server, within the server itself (`SHOW cluster_name`): whoever
 * finds the server running can tell a guest's visit from an orphan, and no file can be out of step.
 */
export async function ownerName(pid = process.pid): Promise<string> {
  return `billing/${pid}/${await startOf(pid)}`
}

export async function ownerIsAlive(name: string): Promise<boolean> {
  const pid = Number(name.split('/')[1])
  return Number.isInteger(pid) && pid > 0 && (await ownerName(pid)) === name
}

/** When a process started: with its number, unique. Empty for a process that is not there. */
async function startOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    // The name in parentheses may itself hold spaces and parentheses.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? '' : (fields[18] ?? '')
  }
  const started = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(
    () => ({ stdout: '' }),
  )
  return started.stdout.trim().replaceAll(/\W+/g, '-')
}
