import { describe, expect, it } from '@jest/globals'
import { checksOfChanges } from '../../scripts/test/checks-of-changes.mjs'

const namesOf = ({ checks }: ReturnType<typeof checksOfChanges>) => checks.map(([name]) => name)

describe('the checks of changes', () => {
  it('of code are all of them, and format and lint read only the changed files', () => {
    const found = checksOfChanges(['services/mail/mailer.ts', 'web/ui/tokens.css'], [])
    expect(namesOf(found)).toEqual([
      'format',
      'types',
      'import rules',
      'forbidden lines',
      'repository',
      'consumers of events',
      'lint',
    ])
    const [format] = found.checks
    const lint = found.checks.at(-1)
    expect(format?.slice(2)).toEqual(['--check', 'services/mail/mailer.ts', 'web/ui/tokens.css'])
    expect(lint?.at(-1)).toBe('services/mail/mailer.ts')
    expect(lint).not.toContain('web/ui/tokens.css')
    expect(found).toMatchObject({ related: ['services/mail/mailer.ts'], left: null })
  })

  it('of a removed file are those of the files that imported it', () => {
    expect(namesOf(checksOfChanges([], ['services/mail/mailer.ts']))).toEqual([
      'types',
      'import rules',
      'forbidden lines',
      'repository',
      'consumers of events',
    ])
  })

  it('of a page are whether it is true of the repository', () => {
    expect(namesOf(checksOfChanges(['docs/security.md'], []))).toEqual(['repository'])
  })

  it('of an event and of the import rules are their own', () => {
    const { checks } = checksOfChanges(
      ['contracts/events/enquiry.ts', '.dependency-cruiser.mjs'],
      [],
    )
    expect(checks.map(([name]) => name)).toEqual(
      expect.arrayContaining(['stored schemas', 'consumers of events', 'planted imports']),
    )
  })

  it('of a style sheet are only its format', () => {
    expect(namesOf(checksOfChanges(['web/ui/tokens.css'], []))).toEqual(['format'])
  })

  it.each(['jest.config.mjs', 'package-lock.json', 'tests/support/jest/global-setup.mjs'])(
    'of %s leave the other tests to npm test',
    (file) => {
      expect(checksOfChanges([file], []).left).toBe(`${file} concerns every test: run npm test.`)
    },
  )
})
