
# What it looks at, and for. Change both.
text=@fields@
case $text in
*"@word@"*) ;;
*) exit 0 ;; # no opinion
esac

@answer@
@others@
