import { sandboxSettingNames } from '#services/sandbox/config'
import { secretSettings, settingNames } from '#services/start/settings'
import { checkCompose, composeProjects } from './compose/check-compose.ts'

/** `npm run check:compose`: prints every problem, or that there is none. */
const problems = checkCompose(process.cwd(), {
  product: settingNames,
  secrets: secretSettings,
  sandbox: sandboxSettingNames,
})
for (const problem of problems) process.stdout.write(`${problem}\n`)
process.stdout.write(
  problems.length > 0
    ? `${problems.length} problems.\n`
    : `${[...new Set(composeProjects.flat())].join(', ')} and the Dockerfile are in order.\n`,
)
process.exitCode = problems.length > 0 ? 1 : 0
