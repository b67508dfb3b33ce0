import { chooseTheme, themeChoices, useThemeChoice, type ThemeChoice } from '../lib/theme.ts'

const names: Readonly<Record<ThemeChoice, string>> = {
  system: 'System',
  light: 'Light',
  dark: 'Dark',
}

/** The three themes, as items of a menu. The menu stays open, so that the visitor can compare. */
export function ThemeItems() {
  const chosen = useThemeChoice()
  return themeChoices.map((choice) => (
    <button
      key={choice}
      type="button"
      role="menuitemradio"
      aria-checked={choice === chosen}
      onClick={() => chooseTheme(choice)}
    >
      {names[choice]}
    </button>
  ))
}
