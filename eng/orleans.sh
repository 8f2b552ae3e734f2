# Sourced by the scripts at the root.

# choose_orleans ROOT: on or off? Says so in one line and exports Orleans, which every later dotnet command obeys.
# MSBuild decides (eng/OrleansProbe), because versions and feeds may be set where only MSBuild looks.
choose_orleans() {
  local choice
  if ! command -v dotnet > /dev/null; then
    echo "dotnet was not found: the .NET 10 SDK is needed." >&2
    return 1
  fi

  export DOTNET_NOLOGO=1
  choice=$(cd "$1" && dotnet msbuild eng/OrleansProbe/OrleansProbe.csproj -nologo -t:ChooseOrleans -getProperty:OrleansChoice) || return
  choice=${choice##*$'\n'}
  case $choice in
    "on "* | "off "*) ;;
    *)
      echo "Cannot tell whether Orleans can be restored. Set Orleans=on or Orleans=off." >&2
      return 1
      ;;
  esac

  echo "Orleans: $choice"
  export Orleans="${choice%% *}"
}
