import { Argument, Command, Option } from 'commander'
import { adminRole, adminRoles, roleNames, type AdminRole } from '#contracts/admin/roles'
import { emailAddress } from '#contracts/email-address'
import { addAdministratorRequest } from '#contracts/admin/administrators'
import { createAdministrators } from '#services/administrators/administrators'
import type { AdministratorsCommand } from '#services/administrators/administrators-decider'
import {
  activeAdministrators,
  type Administrator,
  type AdministratorsState,
} from '#services/administrators/administrators-state'
import { passkeyUses } from '#services/administrators/passkeys/passkey-uses'
import { refusalSentences } from '#services/administrators/refusal-sentences'
import { createCommandHandler } from '#services/commands/handle-command'
import { macKeyOf } from '#services/event-store/audit/audit-keys'
import { randomIds } from '#services/foundation/ids'
import { StartupError } from '#services/foundation/startup-error'
import { deleteAdminSessions, deleteAllAdminSessions } from '#services/http/sessions/session-tables'
import { startOperatorClock } from '#services/operations/operator-clock'
import type { OperatorContext } from '#services/operations/operator-context'
import { refuseOtherKeys } from '#services/keys/assert-known-keys'
import { onSourceLog } from './on-source-log.ts'
import { print } from './print.ts'

const role = new Argument('<role>', 'what the person may do').choices(adminRoles)
const address = new Argument('<address>', 'the e-mail address of the administrator')

export function adminsCommand(): Command {
  return new Command('admins')
    .description('Add, list, change and end the named administrators.')
    .addHelpText(
      'after',
      '\nUntil the first administrator is added, the shared password alone signs in. Then a sign-in needs the password, the address and a mailed code. docs/security.md lists what each role may do.',
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
        .description('Change the role of an administrator, also in open pages.')
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
    .addCommand(renameCommand())
    .addCommand(passkeysCommand())
    .addCommand(
      new Command('end')
        .addArgument(address)
        .description('End an administrator, with all sessions, live pages and passkeys.')
        .action((email: string) =>
          onSourceLog((context) =>
            change(
              context,
              email,
              ({ adminId }) => ({ type: 'end-administrator', adminId }),
              personOrEnded,
            ),
          ),
        ),
    )
}

function renameCommand(): Command {
  return new Command('rename')
    .addArgument(address)
    .requiredOption('--name <name>', 'the new name, as the history shows it')
    .description('Change the name of an administrator, also in earlier events of the history.')
    .action((email: string, { name }: { readonly name: string }) =>
      onSourceLog(async (context) => {
        const parsed = parsedName(name, 'Nothing was changed.')
        await withAdministrators(context, async (administrators, { decide }) => {
          const { adminId, ...before } = personWith(
            await administrators.load(),
            parsedAddress(email),
          )
          await decide({
            type: 'rename-administrator',
            person: { adminId, name: parsed, email: before.email },
          })
          print(`${before.name} <${before.email}> has the name ${parsed}.\n`)
        })
      }),
    )
}

function passkeysCommand(): Command {
  return new Command('passkeys')
    .addArgument(address)
    .option('--remove', 'remove them all, and end the sessions of the person')
    .description('List the passkeys of an administrator, or remove them after a loss.')
    .action((email: string, { remove = false }: { readonly remove?: boolean }) =>
      onSourceLog((context) =>
        remove ? removePasskeys(context, email) : listPasskeys(context, email),
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
  const name = parsedName(options.name, 'No administrator was added.')
  await withAdministrators(context, async (administrators, { decide }) => {
    const isFirst = activeAdministrators(await administrators.load()).length === 0
    const adminId = `adm_${randomIds.uuid()}`
    await decide({
      type: 'add-administrator',
      person: { adminId, name, email, role: options.role },
    })
    print(`${name} <${email}> is an administrator with the role ${roleNames[options.role]}.\n`)
    if (!isFirst) return
    await deleteAllAdminSessions(context.pool)
    print(
      'The sessions with the shared password alone have ended. A sign-in now needs the password, the address and a mailed code.\n',
    )
  })
}

/** The change of the administrator who has this address. */
async function change(
  context: OperatorContext,
  email: string,
  commandFor: (person: Administrator) => Parameters<Deciding['decide']>[0],
  find = personWith,
): Promise<void> {
  await withAdministrators(context, async (administrators, { decide }) => {
    const person = find(await administrators.load(), parsedAddress(email))
    const command = commandFor(person)
    await decide(command)
    if (command.type === 'end-administrator')
      await deleteAdminSessions(context.pool, person.adminId)
    print(
      command.type === 'end-administrator'
        ? `${person.name} <${person.email}> is no administrator any more.\n`
        : `${person.name} <${person.email}> has the role ${roleNames[command.type === 'change-role' ? command.to : person.role]}.\n`,
    )
  })
}

async function listPasskeys(context: OperatorContext, email: string): Promise<void> {
  await withAdministrators(context, async (administrators) => {
    const { adminId, name } = personWith(await administrators.load(), parsedAddress(email))
    const passkeys = (await administrators.passkeysOf(adminId)) ?? []
    const uses = await passkeyUses(
      context.pool,
      passkeys.map(({ passkeyId }) => passkeyId),
    )
    for (const { passkeyId, label, addedAt } of passkeys)
      print(`${label}: added ${addedAt}, ${lastUse(uses.get(passkeyId)?.usedAt)}\n`)
    const count = passkeys.length === 1 ? '1 passkey' : `${passkeys.length} passkeys`
    print(`${name} has ${count}. --remove removes them.\n`)
  })
}

const lastUse = (at: string | undefined) => (at === undefined ? 'never used' : `last used ${at}`)

async function removePasskeys(context: OperatorContext, email: string): Promise<void> {
  await withAdministrators(context, async (administrators, { decide }) => {
    const person = personWith(await administrators.load(), parsedAddress(email))
    await decide({ type: 'remove-passkeys', adminId: person.adminId })
    // The lost device may be signed in.
    await deleteAdminSessions(context.pool, person.adminId)
    print(
      `${person.name} <${person.email}> has no passkey and no session now. The next sign-in needs the password and a mailed code. Passkeys removed: ${person.passkeys.length}.\n`,
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

/** An earlier run may have ended the person, and stopped before it deleted the sessions. */
function personOrEnded(state: AdministratorsState, email: string): Administrator {
  const active = activeAdministrators(state).find((each) => each.email === email)
  const ended = [...state.administrators.values()].findLast((each) => each.email === email)
  return active ?? ended ?? personWith(state, email)
}

async function list(context: OperatorContext): Promise<void> {
  await withAdministrators(context, async (administrators) => {
    const { administrators: all } = await administrators.load()
    if (all.size === 0) {
      print(
        "No administrator is added yet: the shared password alone signs in. Add the first owner with 'billing admins add'.\n",
      )
      return
    }
    for (const { name, email, role: has, isEnded, passkeys } of all.values())
      print(
        `${name} <${email}>: ${isEnded ? 'ended' : roleNames[has]}${passkeys.length === 0 ? '' : `, passkeys: ${passkeys.length}`}\n`,
      )
  })
}

interface Deciding {
  /** @throws StartupError with the reason of a refusal */
  decide(command: Undated<AdministratorsCommand>): Promise<void>
}

type Undated<Command> = Command extends unknown ? Omit<Command, 'at' | 'by'> : never

async function withAdministrators(
  context: OperatorContext,
  work: (
    administrators: ReturnType<typeof createAdministrators>,
    deciding: Deciding,
  ) => Promise<void>,
): Promise<void> {
  const { config, pool, store, codec } = context
  await refuseOtherKeys(pool, config)
  // The business clock, so that no change is dated before earlier events.
  const clock = await startOperatorClock(context)
  try {
    const macKey = macKeyOf(config.auditKey)
    const commands = createCommandHandler({ store, codec, clock, macKey })
    const administrators = createAdministrators({ commands, clock })
    const commandId = randomIds.uuid()
    await work(administrators, {
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
  } finally {
    await clock.close()
  }
}

function parsedName(given: string, consequence: string): string {
  const parsed = addAdministratorRequest.shape.name.safeParse(given)
  if (parsed.success) return parsed.data
  const problem = parsed.error.issues[0]?.message ?? 'The name is not valid.'
  throw new StartupError(`${problem} Give a name with --name. ${consequence}`)
}

function parsedAddress(given: string): string {
  const parsed = emailAddress.safeParse(given)
  if (parsed.success) return parsed.data
  throw new StartupError(`'${given}' is not an e-mail address. Nothing was changed.`)
}
