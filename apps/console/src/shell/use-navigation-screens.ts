import { canOpenScreen, GROUPS, type Screen, type ScreenNavigation } from '../routing/define-screen.js';
import { SCREENS } from '../screens/screens.js';
import { useSession } from '../session/use-session.js';

/** A screen that the navigation shows. */
export interface NavigationScreen extends Screen {
  readonly navigation: ScreenNavigation;
}

/** Lists the screens of the navigation that the API key of the session may open, in the order of `GROUPS`. */
export function useNavigationScreens(): readonly NavigationScreen[] {
  const { key } = useSession();
  const screens = SCREENS.filter(isNavigationScreen).filter((screen) => canOpenScreen(screen, key.scopes));
  return GROUPS.flatMap((group) => screens.filter(({ navigation }) => navigation.group === group));
}

function isNavigationScreen(screen: Screen): screen is NavigationScreen {
  return screen.navigation !== undefined;
}
