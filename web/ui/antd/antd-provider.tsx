import { StyleProvider } from '@ant-design/cssinjs'
import { ConfigProvider } from 'antd'
import type { ReactElement, ReactNode } from 'react'
import { lightTheme } from './theme.ts'
import 'virtual:antd.css'
import './antd-overrides.css'

/**
 * antd with the product's theme. The styles are static (`static-css.tsx`), and CSS variables follow
 * `data-theme`. The theme given here serves only the values that antd reads in script.
 */
export function AntdProvider({ children }: { children: ReactNode }): ReactElement {
  return (
    <StyleProvider container={outsideTheDocument}>
      <ConfigProvider theme={theme} wave={{ disabled: true }} getPopupContainer={insideMain}>
        {children}
      </ConfigProvider>
    </StyleProvider>
  )
}

// Popups are rendered inside `main`, so that users who navigate by landmarks find them.
const insideMain = () => document.getElementById('main') ?? document.body

const theme = { ...lightTheme, zeroRuntime: true }

// With zeroRuntime antd still writes the root variables into a style element. The static sheet
// already has these variables, and the page's policy refuses inline styles. The element goes into a
// container outside the document, where it has no effect.
const outsideTheDocument = document.createElement('div')
