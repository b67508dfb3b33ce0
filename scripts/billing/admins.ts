import { Argument, Command, Option } from 'commander'
import { adminRole, adminRoles, roleNames, type AdminRole } from '#contracts/admin/roles'
import { emailAddress } from '#contracts/email-address'
import { createAdministrators } from '#services/administrators/administrators'
import type { AdministratorsCommand } from '#services/administrators/administrators-decider'
import {
  activeAdministrators,
  type Administrator,
  type AdministratorsState,
} from '#services/administrators/administrators-state'
import { refusalSentences } from '#services/administrators/refusal-sentences'
import { randomIds } from '#services/foundation/ids'
import { StartupError } from '#services/foundation/startup-error'
import { deleteAdminSessions, deleteAllAdminSessions } from '#services/http/sessions/session-tables'
import { withBilling } from '#services/operations/operator-billing'
import type { OperatorContext } from '#services/operations/operator-context'
import { onSourceLog } from './on-source-log.ts'

const role = new Argument('<role>', 'what the person may do').choices(adminRoles)
const address = new Argument('<address>', 'the e-mail address of the administrator')

export function adminsCommand(): Command {
  return new Command('admins')
    .description('Name the administrators of the product, and end them.')
    .addHelpText(
      'after',
      '\nWhile nobody is named, the shared password alone signs in. After the first name, a sign-in needs the password, the address and a mailed code. docs/security.md lists what each role may do.',
    )
    .addCommand(addCommand())
    .addCommand(
      new Command('list')
        .description('List the administrators.')
        .action(() => onSourceLog((context) => list(context))),
    )
    .addCommand(
      new Command('role')
        .addArgument(address)
        .addArgument(role)
        .description('Give an administrator another role. It counts at the next request.')
        .action((email: string, to: string) =>
          onSourceLog((context) =>
            change(context, email, ({ adminId }) => ({
              type: 'change-role',
              adminId,
              to: adminRole.parse(to),
            })),
          ),
        ),
    )
    .addCommand(
      new Command('end')
        .addArgument(address)
        .description('End an administrator: sessions, live pages and passkeys end at once.')
        .action((email: string) =>
          onSourceLog((context) =>
            change(context, email, ({ adminId }) => ({ type: 'end-administrator', adminId })),
          ),
        ),
    )
}

interface AddOptions {
  readonly name: string
  readonly role: AdminRole
}

function addCommand(): Command {
  return new Command('add')
    .addArgument(address)
    .requiredOption('--name <name>', 'the name, as the history shows it')
    .addOption(
      new Option('--role <role>', 'what the person may do')
        .choices(adminRoles)
        .makeOptionMandatory(),
    )
    .description('Add an administrator. The first one must be an owner.')
    .action((email: string, options: AddOptions) =>
      onSourceLog((context) => add(context, parsedAddress(email), options)),
    )
}

async function add(context: OperatorContext, email: string, options: AddOptions): Promise<void> {
  const name = options.name.trim()
  if (name === '' || name.length > 200)
    throw new StartupError('The name needs 1 to 200 characters. Nobody was added.')
  await withAdministrators(context, async (administrators, { decide }) => {
    const isFirst = activeAdministrators(await administrators.load()).length === 0
    const adminId = `adm_${randomIds.uuid()}`
    await decide({
      type: 'add-administrator',
      person: { adminId, name, email, role: options.role },
    })
    // From now on the shared password alone signs in nobody.
    if (isFirst) await deleteAllAdminSessions(context.pool)
    process.stdout.write(
      `${name} <${email}> is an administrator with the role ${roleNames[options.role]}.\n`,
    )
  })
}

/** The change of the administrator who has this address. */
async function change(
  context: OperatorContext,
  email: string,
  commandFor: (person: Administrator) => Parameters<Deciding['decide']>[0],
): Promise<void> {
  await withAdministrators(context, async (administrators, { decide }) => {
    const person = personWith(await administrators.load(), parsedAddress(email))
    const command = commandFor(person)
    await decide(command)
    if (command.type === 'end-administrator')
      await deleteAdminSessions(context.pool, person.adminId)
    process.stdout.write(
      command.type === 'end-administrator'
        ? `${person.name} <${person.email}> is no administrator any more.\n`
        : `${person.name} <${person.email}> was changed.\n`,
    )
  })
}

function personWith(state: AdministratorsState, email: string): Administrator {
  const found = activeAdministrators(state).find((each) => each.email === email)
  if (found !== undefined) return found
  throw new StartupError(
    `No administrator has the address ${email}. 'billing admins list' shows them. Nothing was changed.`,
  )
}

async function list(context: OperatorContext): Promise<void> {
  await withAdministrators(context, async (administrators) => {
    const { administrators: all } = await administrators.load()
    if (all.size === 0) {
      process.stdout.write(
        "Nobody is named: the shared password alone signs in. 'billing admins add' names the first owner.\n",
      )
      return
    }
    for (const { name, email, role: has, isEnded, passkeys } of all.values())
      process.stdout.write(
        `${name} <${email}>: ${isEnded ? 'ended' : roleNames[has]}${passkeys.length === 0 ? '' : `, passkeys: ${passkeys.length}`}\n`,
      )
  })
}

interface Deciding {
  /** @throws StartupError with the reason of a refusal */
  decide(command: Undated<AdministratorsCommand>): Promise<void>
}

type Undated<Command> = Command extends unknown ? Omit<Command, 'at' | 'by'> : never

function withAdministrators(
  context: OperatorContext,
  work: (
    administrators: ReturnType<typeof createAdministrators>,
    deciding: Deciding,
  ) => Promise<void>,
): Promise<void> {
  return withBilling(context, ({ commands, businessClock: clock }) => {
    const administrators = createAdministrators({ commands, clock })
    const commandId = randomIds.uuid()
    return work(administrators, {
      async decide(command) {
        const refusal = await administrators.change(
          { ...command, by: { kind: 'operator' } },
          {
            commandId,
            correlationId: commandId,
            actor: { kind: 'system', id: 'operator' },
            source: 'system',
          },
        )
        if (refusal !== null)
          throw new StartupError(`${refusalSentences[refusal]} Nothing was changed.`)
      },
    })
  })
}

function parsedAddress(given: string): string {
  const parsed = emailAddress.safeParse(given)
  if (parsed.success) return parsed.data
  throw new StartupError(`'${given}' is not an e-mail address. Nothing was changed.`)
}
