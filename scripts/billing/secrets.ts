import { Command } from 'commander'
import { makeSecrets } from './make-secrets.ts'
import { print } from './print.ts'

export function secretsCommand(): Command {
  return new Command('secrets')
    .argument('<directory>', 'the directory that docker-compose.yml reads: ./secrets')
    .option(
      '--cluster',
      'let the product use the EventStoreDB cluster (--profile cluster) instead of the single node',
      false,
    )
    .description('Generate the secrets that the containers need, one file each.')
    .addHelpText('after', '\nKeeps every file that exists. Needs no database.')
    .action(async (directory: string, options: { readonly cluster: boolean }) => {
      const { made, kept, adminPassword, wrongLog } = await makeSecrets(directory, options)
      if (kept.length > 0) print(`Kept unchanged: ${kept.join(', ')}.\n`)
      print(made.length === 0 ? 'No file was missing.\n' : `Generated: ${made.join(', ')}.\n`)
      if (made.includes('master_key'))
        print(
          `Keep a copy of ${directory} elsewhere: without master_key no personal data can be read, not even from a backup.\n`,
        )
      if (adminPassword !== null)
        print(`The administrators' password, printed only this once: ${adminPassword}\n`)
      if (wrongLog === null) return
      process.stderr.write(wrongLog)
      process.exitCode = 1
    })
}
