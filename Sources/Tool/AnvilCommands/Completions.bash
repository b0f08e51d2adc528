_anvil_arguments() {
  local line=${COMP_LINE:0:COMP_POINT} quote= character i
  typed= previous= count=0
  for ((i = 0; i < ${#line}; i++)); do
    character=${line:i:1}
    if [[ $character == \\ && $quote != \' ]]; then
      i=$((i + 1))
      typed+=$character${line:i:1}
    elif [[ $quote ]]; then
      if [[ $character == "$quote" ]]; then quote=; fi
      typed+=$character
    elif [[ $character == [[:space:]] ]]; then
      if [[ $typed ]]; then previous=$typed typed= count=$((count + 1)); fi
    else
      if [[ $character == [\'\"] ]]; then quote=$character; fi
      typed+=$character
    fi
  done
}
_anvil_words() {
  local IFS=$' \t\n'
  COMPREPLY=($(compgen -W "$1" -P "$prefix" -- "$value"))
}
_anvil_files() {
  if [[ $prefix ]]; then _anvil_quoted_files; else compopt -o default 2>/dev/null; fi
}
_anvil_quoted_files() {
  local name plain
  [[ $value == *[\'\"\$\`~]* ]] && return
  IFS= read plain <<<"$value"
  while IFS= read -r name; do
    if [[ -d $name ]]; then
      COMPREPLY+=("$prefix$(printf %q "$name")/")
      compopt -o nospace 2>/dev/null
    elif [[ -e $name || -L $name ]]; then
      COMPREPLY+=("$prefix$(printf %q "$name")")
    fi
  done < <(compgen -f -- "$plain")
}
_anvil_words_or_files() {
  local name quotes=
  _anvil_words "$1"
  if [[ $prefix ]]; then _anvil_quoted_files; return; fi
  if [[ $value == *[\\\'\"\$\`~]* ]]; then _anvil_files; return; fi
  compopt -o filenames 2>/dev/null || quotes=1
  while IFS= read -r name; do
    if [[ ! -e $name && ! -L $name ]]; then continue; fi
    if [[ $quotes ]]; then name=$(printf %q "$name"); fi
    COMPREPLY+=("$name")
  done < <(compgen -f -- "$value")
}
_anvil_attached_files() {
  local name lead start skip= character breaks=
  case $value in
  @*) name=${value#@} ;;
  *=@*) name=${value#*=@} ;;
  *) return ;;
  esac
  lead=${typed%"$name"}
  for character in = : @; do
    if [[ $COMP_WORDBREAKS == *"$character"* ]]; then breaks+=$character; fi
  done
  # The part of the argument that readline keeps.
  start=
  if [[ $breaks ]]; then start=${typed%"${typed##*[$breaks]}"} start=${start%@}; fi
  if [[ ${#start} -gt ${#lead} ]]; then
    IFS= read skip <<<"${start#"$lead"}"
    prefix=
  else
    prefix=${lead#"$start"}
  fi
  value=$name
  _anvil_quoted_files
  [[ $skip ]] || return
  for ((character = 0; character < ${#COMPREPLY[@]}; character++)); do
    COMPREPLY[character]=${COMPREPLY[character]#"$(printf %q "$skip")"}
  done
}
