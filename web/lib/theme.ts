import { changeStored, onStoredChange, readStored, useStored } from './stored-values.ts'

/** What a visitor can choose. `system` follows the setting of the operating system. */
export const themeChoices = ['system', 'light', 'dark'] as const
export type ThemeChoice = (typeof themeChoices)[number]

const systemIsDark = '(prefers-color-scheme: dark)'

/** The stored choice. Any other stored text counts as `system`. */
export function useThemeChoice(): ThemeChoice {
  return choiceOf(useStored('theme'))
}

/** Stores the choice and shows it, in all tabs of this browser. */
export function chooseTheme(choice: ThemeChoice): void {
  changeStored({ theme: choice === 'system' ? null : choice })
}

/**
 * Shows the chosen theme, and follows changes of the choice and of the system. The script in
 * web/index.html has set the theme before the first paint, in the same way.
 */
export function startTheme(): void {
  showTheme()
  onStoredChange(showTheme)
  window.matchMedia(systemIsDark).addEventListener('change', showTheme)
}

const choiceOf = (stored: string | null): ThemeChoice =>
  themeChoices.find((choice) => choice === stored) ?? 'system'

/** Sets the theme of the pages, and that of the browser's own controls around them. */
function showTheme(): void {
  const choice = choiceOf(readStored('theme'))
  const ofSystem = window.matchMedia(systemIsDark).matches ? 'dark' : 'light'
  const theme = choice === 'system' ? ofSystem : choice
  document.documentElement.dataset.theme = theme
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[data-of]'))
    meta.media = meta.dataset.of === theme ? 'all' : 'not all'
}
