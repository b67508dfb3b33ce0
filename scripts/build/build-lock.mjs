import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const beatMs = 1_000
/** A builder that is stopped or whose process id was reused holds the lock no longer. */
const silentMs = 15_000
const pollMs = 200
const lockName = /^building-(\d+)$/

/**
 * Runs `build` unless another process does so. If another process builds in the same `folder`,
 * waits for its end: then `build` runs only if `isNeeded()` still answers true, for example because
 * the other build failed or was killed.
 *
 * The lock is a file `building-<n>`. A process takes over from a dead one by creating the file with
 * the next number, so only one of several waiting processes succeeds. The processes cannot use a
 * lock of the database or of a library: nothing is built and the product may not run.
 */
export async function buildAlone(folder, { isNeeded, build, onWait }) {
  let waitsFor = null
  while (isNeeded()) {
    const lock = lastLock(folder)
    if (lock !== null && isHeld(lock)) {
      if (waitsFor !== lock.pid) onWait(lock.pid)
      waitsFor = lock.pid
      await sleep(pollMs)
      continue
    }
    const release = take(folder, (lock?.number ?? 0) + 1)
    if (release === null) continue
    try {
      if (isNeeded()) await build()
      return
    } finally {
      release()
    }
  }
}

/** Null if another process created the file first. */
function take(folder, number) {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `building-${number}`)
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
  } catch (error) {
    if (error.code === 'EEXIST') return null
    throw error
  }
  const beat = setInterval(() => touch(path), beatMs)
  const release = () => {
    clearInterval(beat)
    process.off('exit', release)
    for (const lock of locks(folder)) if (lock.number <= number) rmSync(lock.path, { force: true })
  }
  process.once('exit', release)
  return release
}

function lastLock(folder) {
  return locks(folder).sort((a, b) => b.number - a.number)[0] ?? null
}

function locks(folder) {
  return names(folder).flatMap((name) => {
    const number = lockName.exec(name)?.[1]
    if (number === undefined) return []
    const path = join(folder, name)
    try {
      const pid = Number(readFileSync(path, 'utf8'))
      return [{ path, number: Number(number), pid, silentMs: Date.now() - statSync(path).mtimeMs }]
    } catch {
      return [] // It was released meanwhile.
    }
  })
}

function names(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isHeld(lock) {
  // The file is empty between its creation and its first bytes.
  if (lock.pid === 0) return lock.silentMs < beatMs
  return lock.silentMs < silentMs && isAlive(lock.pid)
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function touch(path) {
  try {
    utimesSync(path, new Date(), new Date())
  } catch {
    // Another process took over, because this one was stopped for a while.
  }
}
