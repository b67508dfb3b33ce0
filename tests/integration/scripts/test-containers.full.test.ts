import { spawnSync } from 'node:child_process'
import { expect, it } from '@jest/globals'

it('the test of the containers ends with exit code 2 and one sentence if no engine answers', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'scripts/test-containers.ts'],
    { encoding: 'utf8', env: { ...process.env, DOCKER_HOST: 'unix:///nonexistent/docker.sock' } },
  )
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(/^No container engine answers: .*run the test again\.\n$/)
})
