# a library
