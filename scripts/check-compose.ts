import { sandboxSettingNames } from '#services/sandbox/config'
import { secretSettings, settingNames } from '#services/settings/settings'
import { checkContainers, composeProjects } from './compose/check-containers.ts'

/** `npm run check:compose`: prints every problem, and sets exit code 1 if there is one. */
const problems = checkContainers(process.cwd(), {
  product: settingNames,
  secrets: secretSettings,
  sandbox: sandboxSettingNames,
})
for (const problem of problems) process.stdout.write(`${problem}\n`)
process.stdout.write(
  problems.length > 0
    ? `${problems.length} problems. Correct the files and run the check again.\n`
    : `${[...new Set(composeProjects.flat())].join(', ')}, the Dockerfile and the Caddyfile have no problems.\n`,
)
process.exitCode = problems.length > 0 ? 1 : 0
