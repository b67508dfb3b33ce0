import { DarkIcon, LightIcon } from './icons.tsx'
import { Menu } from './menu.tsx'
import { ThemeItems } from './theme-items.tsx'
import './theme-menu.css'

/**
 * The switch between the themes. The style sheet selects the icon of the shown theme, so the icon
 * is right before a script runs.
 */
export function ThemeMenu() {
  return (
    <Menu
      label="Theme"
      button={{
        label: 'Theme',
        className: 'theme-button',
        content: (
          <>
            <LightIcon />
            <DarkIcon />
          </>
        ),
      }}
    >
      {() => <ThemeItems />}
    </Menu>
  )
}
