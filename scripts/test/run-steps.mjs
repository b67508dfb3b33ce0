import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../build/source-files.mjs'

/** Counts the results of the steps of one test command, and prints each step with its time. */
export function createSteps() {
  /** @type {{ passed: number, failed: number, skipped: string[] }} */
  const total = { passed: 0, failed: 0, skipped: [] }

  async function run(name, step) {
    const began = Date.now()
    console.log(`${name} …`)
    const { passed, failed, skipped = [] } = await step()
    total.passed += passed
    total.failed += failed
    total.skipped.push(...skipped)
    console.log(
      `${name}: ${passed} passed, ${failed} failed (${((Date.now() - began) / 1000).toFixed(1)} s)`,
    )
  }

  return {
    total,
    run,
    async inTurn(steps) {
      for (const [name, step] of steps) await run(name, step)
    },
  }
}

/** Runs a program that counts as one check. Prints its output only if it fails. */
export async function runCheck(program, ...programArgs) {
  const child = spawn(process.execPath, [join(root, program), ...programArgs], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = []
  child.stdout.on('data', (chunk) => output.push(chunk))
  child.stderr.on('data', (chunk) => output.push(chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code === 0) return { passed: 1, failed: 0 }
  console.log(Buffer.concat(output).toString('utf8').trimEnd())
  return { passed: 0, failed: 1 }
}
