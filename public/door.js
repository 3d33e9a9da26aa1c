// Read before anything is painted: what is typed into the fields of the sign-in page before it stands, keys of a scanner that types before the page can hear, in which theme the page opens, and whether its first picture (« door », index.html) is the bar over the
// screens or the sign over the sign-in page. Whoever is signed in has the same bar a moment later; keys and shapes are those of
// client/api/session.ts, client/page/preferences.ts, client/lock/lock-state.ts and client/scanner/typed-key.ts.
{
  const read = (key) => {
    try {
      return JSON.parse(localStorage.getItem(key)) ?? {}
    } catch {
      return {}
    }
  }
  const token = localStorage.getItem('token')
  const { theme } = read('comptoir.preferences')
  const { session, locked } = read('comptoir.lock')

  const { dataset } = document.documentElement
  const isLocked = locked === true && session === token?.slice(-8)
  const isBehindDoor = token && !isLocked && !/^\/(login|reset)(\/|$)/.test(location.pathname)
  if (isBehindDoor) dataset.door = 'bar'
  if (isBehindDoor) {
    const keys = []
    const begun = performance.now()
    const keep = (event) => {
      const { key = '', timeStamp, ctrlKey, altKey, metaKey, repeat, isComposing } = event
      const control = ctrlKey && !altKey && !metaKey
      keys.push({
        key,
        at: timeStamp,
        repeat,
        composing: isComposing,
        // French keyboards write « ] » with AltGr, which Windows tells as Ctrl and Alt.
        modified: (ctrlKey || altKey || metaKey) && !event.getModifierState('AltGraph'),
        control,
        // Those before it may have been typed to the page before a reload.
        follows: timeStamp - begun < 100,
        followsSlowly: timeStamp - begun < 1000,
      })
    }
    addEventListener('keydown', keep, true)
    globalThis.takeEarlyKeys = () => {
      removeEventListener('keydown', keep, true)
      return keys
    }
  }
  const isSignIn =
    !token && !/^\/(reset|accessibility|login\/due)(\/|$)/.test(location.pathname) && !/[?&]token=/.test(location.search)
  if (isSignIn) {
    dataset.door = 'sign-in'
    let isSent = false
    const hold = (event) => {
      event.preventDefault()
      isSent = true
    }
    addEventListener('submit', hold, true)
    globalThis.takeEarlySignIn = () => {
      removeEventListener('submit', hold, true)
      const form = document.getElementById('sign-in')
      const { username, password } = form.elements
      const isAtPassword = document.activeElement === password
      form.remove()
      return { username: username.value, password: password.value, isAtPassword, isSent }
    }
  } else {
    // The page is read from here on: its form leaves as soon as it comes.
    const watch = new MutationObserver(() => {
      const form = document.getElementById('sign-in')
      if (!form) return
      form.remove()
      watch.disconnect()
    })
    watch.observe(document.documentElement, { childList: true, subtree: true })
  }
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  // As the component library marks it once it runs.
  dataset.mantineColorScheme = isDark ? 'dark' : 'light'
}
