import { uncomparedVersions } from './repository/advisories.ts'
import { problemsOfAsvs } from './repository/asvs.ts'
import { problemsOfFilesForOthers } from './repository/files-for-others.ts'
import { misstatedRelease } from './repository/changelog.ts'
import { misstatedFolders, staleFilesOfFolders } from './repository/folders.ts'
import { isCheckout } from './repository/git.ts'
import { misstatedGroups } from './repository/groups.ts'
import { brokenLinks } from './repository/links.ts'
import { brokenRecipes } from './repository/recipes.ts'
import { retiredWords } from './repository/retired-words.ts'
import { misstatedValues } from './repository/stated-values.ts'
import { problemsOfIgnoredFiles } from './repository/written-paths.ts'

/** Prints where the documentation is not true of the code, and where files break a promise. */
const problems = [
  ...brokenLinks(),
  ...misstatedValues(),
  ...misstatedRelease(),
  ...problemsOfAsvs(),
  ...uncomparedVersions(),
  ...problemsOfFilesForOthers(),
  ...staleFilesOfFolders(),
  ...(await misstatedGroups()),
  ...(isCheckout
    ? [...misstatedFolders(), ...brokenRecipes(), ...problemsOfIgnoredFiles(), ...retiredWords()]
    : []),
]
if (!isCheckout)
  console.log(
    'Not checked, because this is no Git checkout: folders, recipes, retired words, and what Git ignores.',
  )
for (const problem of problems) console.log(problem)
process.exitCode = problems.length > 0 ? 1 : 0
