import { currentPreferences, watchPreferences } from '../page/preferences.ts'

/** As the top bar in theme.ts, and in index.html until this runs. */
const barOf = { light: '#fffdfa', dark: '#211f1b' } as const

/** Gives the browser's bar our colour; call it once, at start. */
export function followThemeColor(): void {
  const paint = () => {
    const { theme } = currentPreferences()
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      const asked = meta.media.includes('dark') ? 'dark' : 'light'
      meta.content = barOf[theme === 'auto' ? asked : theme]
    }
  }
  paint()
  watchPreferences(paint)
}
