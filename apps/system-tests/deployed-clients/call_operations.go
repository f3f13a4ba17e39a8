// Calls every operation of the API with a client that openapi-generator has generated for Go.
// Prints the sent requests and their responses as JSON.
// Arguments: the address of Quarry, the key, a file to upload. Standard input: the requests, as a JSON array.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"reflect"
	"regexp"

	quarry "github.com/quarry/client"
)

type request struct {
	ID         string            `json:"id"`
	Server     string            `json:"server"`
	Path       string            `json:"path"`
	Parameters map[string]string `json:"parameters"`
	Schema     string            `json:"schema"`
	Shape      string            `json:"shape"`
	Body       json.RawMessage   `json:"body"`
	IsForm     bool              `json:"isForm"`
}

type sent struct {
	Status int             `json:"status"`
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Query  string          `json:"query"`
	Body   json.RawMessage `json:"body,omitempty"`
	Text   string          `json:"text"`
}

// recorder sends requests, and records the last one and its response.
type recorder struct {
	last    sent
	hasBody bool
}

func (r *recorder) RoundTrip(outgoing *http.Request) (*http.Response, error) {
	r.last = sent{Method: outgoing.Method, Path: outgoing.URL.Path, Query: outgoing.URL.RawQuery}
	if r.hasBody && outgoing.Body != nil {
		body, err := io.ReadAll(outgoing.Body)
		if err != nil {
			return nil, err
		}
		r.last.Body = body
		outgoing.Body = io.NopCloser(bytes.NewReader(body))
	}
	response, err := http.DefaultTransport.RoundTrip(outgoing)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(response.Body)
	r.last.Status, r.last.Text = response.StatusCode, string(text)
	response.Body = io.NopCloser(bytes.NewReader(text))
	return response, err
}

var inPath = regexp.MustCompile(`\{(\w+)\}`)

func main() {
	address, key, file := os.Args[1], os.Args[2], os.Args[3]
	var requests []request
	exitOnError(json.NewDecoder(os.Stdin).Decode(&requests))
	found := map[string]sent{}
	for _, one := range requests {
		found[one.ID] = call(one, address, key, file)
	}
	exitOnError(json.NewEncoder(os.Stdout).Encode(found))
}

func call(one request, address, key, file string) sent {
	records := &recorder{hasBody: one.Schema != ""}
	configuration := quarry.NewConfiguration()
	configuration.HTTPClient = &http.Client{Transport: records}
	configuration.Servers = quarry.ServerConfigurations{{URL: address + one.Server}}
	configuration.OperationServers = nil
	builder := findOperation(quarry.NewAPIClient(configuration), one.ID)
	arguments := []reflect.Value{reflect.ValueOf(context.WithValue(context.Background(), quarry.ContextAccessToken, key))}
	for _, match := range inPath.FindAllStringSubmatch(one.Path, -1) {
		arguments = append(arguments, parsePathParameter(one.Parameters[match[1]], builder.Type().In(len(arguments))))
	}
	prepared := builder.Call(arguments)[0]
	if other, ok := one.Parameters["with"]; ok {
		prepared = setField(prepared, "With", reflect.ValueOf(other))
	}
	if one.Schema != "" {
		body := reflect.New(prepared.MethodByName(one.Schema).Type().In(0))
		exitOnError(json.Unmarshal(one.Body, findDecodeTarget(body, one).Interface()))
		prepared = setField(prepared, one.Schema, body.Elem())
	}
	if one.IsForm {
		opened, err := os.Open(file)
		exitOnError(err)
		prepared = setField(prepared, "File", reflect.ValueOf(opened))
	}
	prepared.MethodByName("Execute").Call(nil)
	return records.last
}

// findOperation returns the method that prepares the request of an operation.
func findOperation(client *quarry.APIClient, id string) reflect.Value {
	name := string(id[0]-'a'+'A') + id[1:]
	apis := reflect.ValueOf(client).Elem()
	for index := range apis.NumField() {
		if !apis.Type().Field(index).IsExported() {
			continue
		}
		if found := apis.Field(index).MethodByName(name); found.IsValid() {
			return found
		}
	}
	panic(fmt.Sprintf("expected a method %s of the client, found none", name))
}

// findDecodeTarget returns a pointer to the value that a body is decoded into: a type of a union, or the whole body.
func findDecodeTarget(body reflect.Value, one request) reflect.Value {
	if one.Shape == one.Schema {
		return body
	}
	chosen := body.Elem().FieldByName(one.Shape)
	chosen.Set(reflect.New(chosen.Type().Elem()))
	return chosen
}

// setField calls the method that sets a part of a prepared request. Returns the request with this part.
func setField(prepared reflect.Value, name string, value reflect.Value) reflect.Value {
	return prepared.MethodByName(name).Call([]reflect.Value{value})[0]
}

// parsePathParameter converts the text of a path parameter to its type.
func parsePathParameter(text string, kind reflect.Type) reflect.Value {
	value := reflect.New(kind)
	_, err := fmt.Sscan(text, value.Interface())
	exitOnError(err)
	return value.Elem()
}

// exitOnError prints an error and exits.
func exitOnError(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
